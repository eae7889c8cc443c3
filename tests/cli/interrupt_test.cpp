// Signals end the children, keep what is finished, and are the exit code.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>

#include "cli/fake_audit.h"

namespace repro {
namespace {

// Waits, without sleeping, for a line on the program's standard error that contains `text`.
bool wait_for_line(Process& process, const std::string& text) {
  std::string line;
  while (process.next_line(line, 60000, -1) == Process::Wait::line) {
    if (line.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("a signal ends the audit with 128 + signal, marks it, and keeps finished runs") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const FakeAudit audit("deterministic-1=hang");
  Process process(audit.cli().options("exec \"$0\" \"$@\" >stdout 2>&3",
                                      {"--config", config("tiny.json"), "--out", "audit", "-v"}));
  REQUIRE(wait_for_line(process, "run 2 of 2"));
  ::kill(process.id(), signal);
  CHECK(wait_for_line(process, "interrupted by signal " + std::to_string(signal)));
  const ExitStatus status = process.wait();
  CHECK_FALSE(status.signalled);
  CHECK(status.code == 128 + signal);
  const auto header = nlohmann::json::parse(read_text_file(audit.path() / "audit.json"));
  CHECK(header["state"] == "interrupted");
  CHECK(fs::exists(audit.path() / "runs/deterministic-0/result.json"));
  CHECK_FALSE(fs::exists(audit.path() / "runs/deterministic-1/result.json"));
  // Nothing reads as finished: its reports say that a run is missing.
  const CliResult report = audit.cli()({"report", "audit"});
  CHECK(report.code == 3);
}

TEST_CASE("a signal before the worker is ready leaves nothing behind") {
  const FakeAudit audit("start=hang");
  Process process(audit.cli().options("trap '' HUP; exec \"$0\" \"$@\" >stdout 2>&3",
                                      {"--config", config("tiny.json"), "--out", "audit", "-v"}));
  REQUIRE(wait_for_line(process, "starting the worker"));
  ::kill(process.id(), SIGHUP);  // ignored by the caller (nohup), so ignored by us
  ::kill(process.id(), SIGINT);
  CHECK(process.wait().code == 130);
  CHECK_FALSE(fs::exists(audit.path()));
}

TEST_CASE("a closed standard output does not stop an audit, a full one is exit 3 unless it differs") {
  const auto run = [](const FakeAudit& audit, const std::string& redirection) {
    Process process(audit.cli().options("exec \"$0\" \"$@\" " + redirection + " 2>/dev/null",
                                        {"--config", config("tiny.json"), "--out", "audit"}));
    return process.wait().code;
  };
  CHECK(run(FakeAudit(), ">&-") == 0);
  CHECK(run(FakeAudit(), "<&- >&- ") == 0);
  CHECK(run(FakeAudit(), ">/dev/full") == 3);
  CHECK(run(FakeAudit("deterministic-1=ulp:2"), ">/dev/full") == 1);
}

}  // namespace
}  // namespace repro

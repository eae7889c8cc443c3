// Runs that crash, are killed or write nothing; results that were changed by hand.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("a run that dies is named with how it ended and the last lines of its log; the others are kept") {
  const auto [fault, how] = GENERATE(std::pair<std::string, std::string>{"kill", "signal 9"},
                                     std::pair<std::string, std::string>{"abort", "signal 6"},
                                     std::pair<std::string, std::string>{"exit:7", "status 7"},
                                     std::pair<std::string, std::string>{"exit:0", "status 0"});
  const FakeAudit audit("deterministic-1=" + fault);
  const CliResult result = audit.run({"--runs", "3"});
  INFO(result.out << result.err);
  CHECK(result.code == 3);
  CHECK_THAT(result.err, ContainsSubstring("deterministic-1 failed: ") && ContainsSubstring(how));
  CHECK_THAT(result.out, ContainsSubstring("fake run deterministic-1 " + fault));
  const auto report = audit.report();
  CHECK(report["groups"][0]["finished"] == 2);
  CHECK(report["comparisons"].size() == 1);
  CHECK(report["comparisons"][0]["candidate"] == 2);
}

TEST_CASE("a shared worker that dies fails the runs that it leaves undone") {
  const FakeAudit audit("deterministic-1=kill");
  const CliResult result = audit.run({"--runs", "4", "--isolation", "shared"});
  INFO(result.out << result.err);
  CHECK(result.code == 3);
  const auto report = audit.report();
  CHECK(report["groups"][0]["finished"] == 1);
  CHECK_THAT(report["runs"][3]["message"].get<std::string>(), ContainsSubstring("not started"));
}

TEST_CASE("with three or more runs the odd one out is named") {
  const FakeAudit audit("deterministic-2=ulp:4");
  const CliResult result = audit.run({"--runs", "5"});
  INFO(result.out);
  CHECK(result.code == 1);
  CHECK(audit.report()["groups"][0]["distinct"] == 2);
  CHECK_THAT(result.out, ContainsSubstring("deterministic-2"));
}

TEST_CASE("the first divergence is the true one") {
  const FakeAudit audit("deterministic-1=ulp:11");
  CHECK(audit.run().code == 1);
  const auto first = audit.report()["first_divergence"];
  CHECK(first["step"] == 11);
  CHECK(first["epoch"] == 2);
  CHECK(first["batch"] == 3);
  CHECK(first["phase"] == "update");
  CHECK(first["layer"] == "conv1");
  CHECK(first["tensor"] == "conv1.weight");
}

TEST_CASE("NaN everywhere is identical, with a loud warning and the first step") {
  const FakeAudit audit("deterministic-0=nan:3,deterministic-1=nan:3");
  const CliResult result = audit.run();
  CHECK(result.code == 0);
  CHECK_THAT(result.err, ContainsSubstring("not finite"));
  CHECK_THAT(result.out, ContainsSubstring("step 3"));
}

TEST_CASE("files that were changed after the run are exit 4, an unfinished audit too") {
  const FakeAudit audit;
  REQUIRE(audit.run().code == 0);
  const fs::path run = audit.path() / "runs/deterministic-1";
  SECTION("weights") {
    std::string bytes = read_text_file(run / "weights.safetensors");
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write_file(run / "weights.safetensors", bytes);
    const CliResult result = audit.cli()({"report", "audit"});
    CHECK(result.code == 4);
    CHECK_THAT(result.err, ContainsSubstring("weights.safetensors"));
  }
  SECTION("a file that is gone") {
    fs::remove(run / "trace.bin");
    CHECK(audit.cli()({"report", "audit"}).code == 4);
  }
  SECTION("audit.json of a later version") {
    std::string text = read_text_file(audit.path() / "audit.json");
    text.replace(text.find("\"version\": 1"), 12, "\"version\": 9");
    write_file(audit.path() / "audit.json", text);
    const CliResult result = audit.cli()({"report", "audit"});
    CHECK(result.code == 4);
    CHECK_THAT(result.err, ContainsSubstring("9") && ContainsSubstring("1"));
  }
  SECTION("still running") {
    std::string text = read_text_file(audit.path() / "audit.json");
    text.replace(text.find("\"finished\""), 10, "\"running\"");
    write_file(audit.path() / "audit.json", text);
    CHECK(audit.cli()({"report", "audit"}).code == 4);
  }
  SECTION("no audit at all") { CHECK(audit.cli()({"report", "nowhere"}).code == 4); }
}

}  // namespace
}  // namespace repro

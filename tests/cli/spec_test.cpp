// spec check | show | schema, and every example config.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("every example config is valid, and shows as a spec that is valid again") {
  const std::string name = GENERATE("digits.json", "mnist.json", "lookup.json", "tiny.json");
  const FakeAudit audit;
  const CliResult checked = audit.cli()({"spec", "check", config(name)});
  INFO(checked.err);
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, ContainsSubstring("valid"));
  const CliResult shown = audit.cli()({"spec", "show", config(name)});
  CHECK(shown.code == 0);
  const CliResult again = audit.cli()({"spec", "show", "-"}, shown.out);
  CHECK(again.out == shown.out);
}

TEST_CASE("digits.json is the reference experiment") {
  const FakeAudit audit;
  const CliResult result = audit.cli()({"spec", "check", config("digits.json")});
  CHECK_THAT(result.out, ContainsSubstring("14 learnable tensors, 12,609 values"));
}

TEST_CASE("spec check names the layer that does not fit, and --set changes the spec") {
  const FakeAudit audit;
  const CliResult result = audit.cli()({"spec", "check", config("tiny.json"), "--set",
                                        "/input/resize/size=[2,2]", "--set", "/model/layers/5/kernel=3"});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, ContainsSubstring("/model/layers/5") && ContainsSubstring("conv2"));
}

TEST_CASE("exit codes of the spec commands") {
  const FakeAudit audit;
  CHECK(audit.cli()({"spec", "check", "nowhere.json"}).code == 4);
  CHECK(audit.cli()({"spec", "check", "-"}, "[]").code == 2);
  CHECK(audit.cli()({"spec", "show", "-"}, "").code == 2);
  CHECK(audit.cli()({"spec"}).code == 2);
  CHECK(audit.cli()({"spec", "schema"}).out ==
        read_text_file(fs::path(REPRO_SOURCE_DIR) / "docs/spec.schema.json"));
}

// The cells of the row of a pass: "lookup1  backward  deterministic  not deterministic  …", split at two
// spaces.
std::vector<std::string> cells_of(const std::string& text, const std::string& layer,
                                  const std::string& pass) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find("  ", at), line.size());
      cells.push_back(line.substr(at, end - at));
      at = std::min(line.find_first_not_of(' ', end), line.size());
    }
    if (cells.size() == 5 && cells[0] == layer && cells[1] == pass) return cells;
  }
  return {};
}

TEST_CASE("spec check --determinism names what is not deterministic, in which group, and what helps") {
  const FakeAudit audit;
  const CliResult result =
      audit.cli()({"spec", "check", config("lookup.json"), "--determinism", "--device", "cpu"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, ContainsSubstring("valid (lookup:") && ContainsSubstring("device: cpu (as asked)") &&
                             ContainsSubstring("threads: 2 (as the spec says)"));
  using Cells = std::vector<std::string>;
  CHECK(cells_of(result.out, "lookup1", "backward") ==
        Cells{"lookup1", "backward", "deterministic", "not deterministic", "_index_put_impl_"});
  CHECK(cells_of(result.out, "conv1", "backward") ==
        Cells{"conv1", "backward", "deterministic", "deterministic", "convolution_backward"});
  CHECK_FALSE(cells_of(result.out, "loss", "forward").empty());
  CHECK_FALSE(cells_of(result.out, "optimizer", "update").empty());
  CHECK_THAT(result.out,
             ContainsSubstring("group deterministic: every pass is known to be deterministic\n") &&
                 ContainsSubstring("aten::_index_put_impl_ (lookup1) not deterministic: adds in an order"));
  // A terminal's 80 columns: notes always, rows up to their operations, which a terminal may cut.
  std::istringstream lines(result.out.substr(result.out.find("device: ")));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(std::min(line.size(), line.rfind("  ")) <= 80);
  }
}

TEST_CASE("spec check --determinism: devices, threads, and what is unknown") {
  const FakeAudit audit;
  const auto check = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"spec", "check", config("lookup.json"), "--determinism"});
    return audit.cli()(more);
  };
  CHECK_THAT(check({}).out, ContainsSubstring("device: cpu (the spec says auto"));
  CHECK_THAT(check({"--set", "/execution/device=\"cuda:1\""}).out,
             ContainsSubstring("device: cuda:1 (as the spec says)"));
  CHECK_THAT(check({"--set", "/execution/threads=0"}).out,
             ContainsSubstring("(as many as this process may use)"));
  const std::string one = check({"--set", "/execution/threads=1"}).out;
  CHECK(cells_of(one, "lookup1", "backward").at(3) == "deterministic");

  const std::string gpu = check({"--device", "cuda"}).out;
  CHECK(cells_of(gpu, "lookup1", "backward").at(3) == "unknown");
  CHECK(cells_of(gpu, "conv1", "forward").at(2) == "deterministic");
  CHECK(cells_of(gpu, "conv1", "forward").at(3) == "not deterministic");
  CHECK_THAT(
      gpu, ContainsSubstring("(lookup1) unknown: ") && ContainsSubstring("note (group default): TF32 is on"));
}

TEST_CASE("spec check --determinism: wrong requests are exit code 2, advice never is") {
  const FakeAudit audit;
  for (const char* device : {"auto", "gpu", "cuda:", "cuda:01", "cuda:1000", "", "CPU"}) {
    INFO(device);
    const CliResult result =
        audit.cli()({"spec", "check", config("tiny.json"), "--determinism", "--device", device});
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, ContainsSubstring("--device"));
  }
  // Before the file is looked at.
  CHECK(audit.cli()({"spec", "check", "nowhere.json", "--determinism", "--device", "x"}).code == 2);
  CHECK(audit.cli()({"spec", "check", "nowhere.json", "--determinism"}).code == 4);
  CHECK(audit.cli()({"spec", "check", config("tiny.json"), "--device", "cpu"}).code == 2);
  CHECK(audit.cli()({"spec", "show", config("tiny.json"), "--determinism"}).code == 2);
  const CliResult invalid = audit.cli()({"spec", "check", "-", "--determinism"}, "[]");
  CHECK(invalid.code == 2);
  CHECK(invalid.out.empty());
}

TEST_CASE("spec check --determinism shows hostile names escaped") {
  const FakeAudit audit;
  const std::string file = "evil\x1b[31m.json";
  write_file(audit.path(file), read_text_file(config("tiny.json")));
  const CliResult shown = audit.cli()({"spec", "check", file, "--determinism"});
  CHECK(shown.code == 0);
  CHECK_THAT(shown.out, ContainsSubstring("evil\\x1B[31m.json: valid") ||
                            ContainsSubstring("evil\\x1b[31m.json: valid"));
  const CliResult device =
      audit.cli()({"spec", "check", config("tiny.json"), "--determinism", "--device", "cpu\x1b[31m"});
  CHECK(device.code == 2);
  const CliResult layer = audit.cli()({"spec", "check", config("tiny.json"), "--determinism", "--set",
                                       "/model/layers/0/name=\"\\u001b[31m\""});
  CHECK(layer.code == 2);
  for (const CliResult& result : {shown, device, layer}) {
    CHECK((result.out + result.err).find('\x1b') == std::string::npos);
  }
}

}  // namespace
}  // namespace repro

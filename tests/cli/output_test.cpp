// What is printed where: results on standard output, everything else on standard error.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

constexpr const char* verdict = "verdict: identical (deterministic, cpu, 2 runs, 6 tensors, 113 values)";

TEST_CASE("the first line names the device, the last one is the verdict; nothing else on a pipe") {
  const FakeAudit audit;
  const CliResult result = audit.run();
  CHECK_THAT(result.out, StartsWith("CPU selected: no GPU found; the verdict holds for the CPU only.\n"));
  CHECK(last_line(result.out) == verdict);
  CHECK(result.err.empty());
  CHECK(result.out.find('\x1b') == std::string::npos);
}

TEST_CASE("no line of the usual output is wider than 80 columns") {
  const FakeAudit audit("default-1=ulp:3");
  const CliResult result = audit.run({"--both"});
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    std::size_t columns = 0;
    for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    INFO(line);
    CHECK(columns <= 80);
  }
}

TEST_CASE("-q prints the verdict line alone, --json the report alone") {
  const FakeAudit quiet;
  CHECK(quiet.run({"-q"}).out == std::string(verdict) + "\n");
  const FakeAudit json;
  const CliResult result = json.run({"--json"});
  CHECK(result.out == read_text_file(json.path() / "report.json"));
  CHECK(nlohmann::json::parse(result.out)["verdict"] == "identical");
}

TEST_CASE("colours are off on a pipe, on when asked, and NO_COLOR does not undo what was asked") {
  const FakeAudit audit;
  CHECK(audit.run({"--color", "always"}).out.find('\x1b') != std::string::npos);
  const FakeAudit never;
  CHECK(never.run({"--color", "never"}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("--plot draws a tensor; an unknown one is exit 2 with the nearest name") {
  const FakeAudit audit("deterministic-1=ulp:16");
  const CliResult result = audit.run({"--plot", "conv1.weight"});
  CHECK(result.code == 1);
  CHECK_THAT(result.out,
             ContainsSubstring("conv1.weight") && ContainsSubstring("Learnable parameter number"));
  const FakeAudit unknown;
  const CliResult refused = unknown.run({"--plot", "conv1.wieght"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("did you mean 'conv1.weight'?"));
  CHECK_FALSE(fs::exists(unknown.path()));
}

TEST_CASE("a rule other than bitwise is the last item of the verdict line") {
  const FakeAudit audit;
  CHECK(last_line(audit.run({"--compare", "ulp=4"}).out) ==
        "verdict: identical (deterministic, cpu, 2 runs, 6 tensors, 113 values, ulp=4)");
}

TEST_CASE("CSV rows: all, those that differ, none") {
  const auto [rows, lines] =
      GENERATE(std::pair<std::string, int>{"all", 37}, std::pair<std::string, int>{"different", 2},
               std::pair<std::string, int>{"none", 0});
  const FakeAudit audit("deterministic-1=ulp:16");
  CHECK(audit.run({"--csv-rows", rows}).code == 1);
  const fs::path file = audit.path() / "diff/deterministic-1-vs-deterministic-0/conv1.weight.csv";
  CHECK(fs::exists(file) == (lines > 0));
  if (lines == 0) return;
  const std::string text = read_text_file(file);
  CHECK(std::ranges::count(text, '\n') == lines);
  CHECK_THAT(text, StartsWith("index,reference,candidate,difference,ulp,reference_bits,candidate_bits\n"));
}

TEST_CASE("--save optimizer keeps the optimiser's state") {
  const FakeAudit audit;
  CHECK(audit.run({"--save", "optimizer"}).code == 0);
  CHECK(fs::exists(audit.path() / "runs/deterministic-0/optimizer.safetensors"));
  const FakeAudit without;
  CHECK(without.run().code == 0);
  CHECK_FALSE(fs::exists(without.path() / "runs/deterministic-0/optimizer.safetensors"));
}

}  // namespace
}  // namespace repro

// The main job on a GPU.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "repro/engine/libtorch/driver.h"
#include "support/cli.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

// The name of the first GPU; skips the test, or fails it if a GPU is required, where there is none.
std::string required_gpu() {
  const DriverFacts driver = ask_driver(13000);
  if (driver.problem.empty()) return driver.devices.front();
  if (const char* required = std::getenv("REPRO_REQUIRE_GPU"); required != nullptr && *required == '1') {
    FAIL("a GPU is required: " << driver.problem << " " << driver.detail);
  }
  SKIP(driver.problem << " " << driver.detail);
  return "";
}

TEST_CASE("deterministic runs on a GPU are identical, and the first line names it") {
  const std::string name = required_gpu();
  const TemporaryFolder folder;
  const CliResult result =
      Cli(folder.path())({"--config", config("tiny.json"), "--device", "cuda", "--out", "audit"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK_THAT(result.out, StartsWith(name + " selected.\n"));
  CHECK_THAT(last_line(result.out), StartsWith("verdict: identical (deterministic, cuda:0, 2 runs, "));
  CHECK_THAT(result.out, ContainsSubstring("determinism: off -> on -> off (restored)"));
}

TEST_CASE("another seed gives other weights on a GPU, tracing the same ones") {
  required_gpu();
  const TemporaryFolder folder;
  const auto hash = [&](const std::string& out, std::vector<std::string> extra) {
    extra.insert(extra.begin(), {"--config", config("tiny.json"), "--device", "cuda:0", "-q", "--out", out});
    REQUIRE(Cli(folder.path())(extra).code == 0);
    const auto report = nlohmann::json::parse(read_text_file(folder.path() / out / "report.json"));
    return report["comparisons"][0]["tensors"][0]["reference_sha256"].get<std::string>();
  };
  const std::string reference = hash("a", {});
  CHECK(hash("b", {"--trace", "none"}) == reference);
  CHECK(hash("c", {"--isolation", "shared"}) == reference);
  CHECK(hash("d", {"--seed", "1"}) != reference);
}

TEST_CASE("looking up in a table is identical on a GPU with determinism") {
  required_gpu();
  const TemporaryFolder folder;
  const CliResult result =
      Cli(folder.path())({"--config", config("lookup.json"), "--device", "cuda", "--out", "audit"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
}

TEST_CASE("a GPU number that does not exist is exit 3") {
  required_gpu();
  const TemporaryFolder folder;
  CHECK(Cli(folder.path())({"--config", config("tiny.json"), "--device", "cuda:99", "--out", "audit"}).code ==
        3);
}

}  // namespace
}  // namespace repro

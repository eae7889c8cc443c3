// The main job on real input, with LibTorch: the story of the reference on any machine.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "repro/snapshot/safetensors.h"
#include "support/cli.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

nlohmann::json report(const fs::path& directory) {
  return nlohmann::json::parse(read_text_file(directory / "report.json"));
}

TEST_CASE("two deterministic runs of a small spec are identical, and all files are there") {
  const TemporaryFolder folder;
  const Cli cli(folder.path());
  const CliResult result = cli({"--config", config("tiny.json"), "--device", "cpu", "--out", "audit"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK_THAT(result.out, StartsWith("CPU selected; the verdict holds for the CPU only.\n"));
  CHECK_THAT(result.out, ContainsSubstring("determinism: off -> on -> off (restored)"));
  CHECK(last_line(result.out) == "verdict: identical (deterministic, cpu, 2 runs, 6 tensors, 113 values)");
  for (const char* name :
       {"audit.json", "report.json", "report.html", "report.md", "junit.xml", "spec.json", "environment.json",
        "runs/deterministic-0/weights.safetensors", "runs/deterministic-1/result.json",
        "runs/deterministic-0/trace.bin", "diff/deterministic-1-vs-deterministic-0/tensors.csv",
        "diff/deterministic-1-vs-deterministic-0/conv1.weight.csv",
        "diff/deterministic-1-vs-deterministic-0/conv1.weight.svg"}) {
    INFO(name);
    CHECK(fs::exists(folder.path() / "audit" / name));
  }
  SECTION("the reports can be built again, byte for byte") {
    const std::string before = read_text_file(folder.path() / "audit/report.html");
    const std::string json = read_text_file(folder.path() / "audit/report.json");
    CHECK(cli({"report", "audit"}).code == 0);
    CHECK(read_text_file(folder.path() / "audit/report.html") == before);
    CHECK(read_text_file(folder.path() / "audit/report.json") == json);
  }
}

TEST_CASE("another seed, one step more, tracing off: what must differ differs, what must not does not") {
  const TemporaryFolder folder;
  const Cli cli(folder.path());
  const auto hash = [&](const std::string& out, const std::vector<std::string>& extra) {
    std::vector<std::string> arguments = {"--config", config("tiny.json"), "--device", "cpu", "--out", out,
                                          "-q"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    const CliResult result = cli(arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return report(folder.path() / out)["comparisons"][0]["tensors"][0]["reference_sha256"].get<std::string>();
  };
  const std::string reference = hash("a", {});
  CHECK(hash("b", {"--trace", "none"}) == reference);
  CHECK(hash("c", {"--isolation", "shared"}) == reference);
  CHECK(hash("d", {"--seed", "1"}) != reference);
  CHECK(hash("e", {"--set", "/training/epochs=3"}) != reference);
}

TEST_CASE("traces change no weight; localize names the operation that differs, and why") {
  const TemporaryFolder folder;
  const Cli cli(folder.path());
  const auto hash = [&](const std::string& trace) {
    const CliResult result = cli({"--config", config("lookup.json"), "--device", "cpu", "--trace", trace,
                                  "--out", trace, "--set", "/training/epochs=1", "-q"});
    INFO(result.err);
    REQUIRE(result.code == 0);
    return report(folder.path() / trace)["comparisons"][0]["tensors"][0]["reference_sha256"]
        .get<std::string>();
  };
  const std::string untraced = hash("none");
  CHECK(hash("steps") == untraced);
  CHECK(hash("ops") == untraced);

  const CliResult run =
      cli({"--config", config("lookup.json"), "--device", "cpu", "--nondeterministic", "--out", "audit"});
  INFO(run.out << run.err);
  if (run.code == 0) SKIP("the runs were equal: there may be one core only");
  REQUIRE(run.code == 1);
  CHECK_THAT(run.out, ContainsSubstring("repro-train localize audit"));
  const CliResult found = cli({"localize", "audit"});
  INFO(found.out << found.err);
  CHECK(found.code == 1);
  CHECK_THAT(found.out, ContainsSubstring("backward, layer lookup1, aten::_index_put_impl_ -> gradient of "
                                          "lookup1.weight\n"));
  CHECK_THAT(found.out, ContainsSubstring("cause known:  adds in an order that depends on threads"));
  CHECK_THAT(found.out, ContainsSubstring(" of 1,024 values, at most "));
  CHECK(report(folder.path() / "audit")["localization"]["first_divergence"]["last_equal"]["operation"] ==
        "aten::new_zeros");
}

TEST_CASE("looking up pixels in a learnable table differs without determinism, and not with it") {
  const TemporaryFolder folder;
  const Cli cli(folder.path());
  const std::string isolation = GENERATE(std::string("process"), std::string("shared"));
  const CliResult both = cli({"--config", config("lookup.json"), "--device", "cpu", "--both", "--isolation",
                              isolation, "--out", "both"});
  INFO(both.out << both.err);
  CHECK(both.code == 0);
  const auto json = report(folder.path() / "both");
  CHECK(json["groups"][0]["name"] == "default");
  CHECK(json["groups"][0]["verdict"] == "different");
  CHECK(json["groups"][1]["name"] == "deterministic");
  CHECK(json["groups"][1]["verdict"] == "identical");
  CHECK_THAT(both.out, ContainsSubstring("determinism costs"));
}

TEST_CASE("without determinism alone the lookup is exit code 1, with the place where the runs parted") {
  const TemporaryFolder folder;
  const Cli cli(folder.path());
  const CliResult result =
      cli({"--config", config("lookup.json"), "--device", "cpu", "--nondeterministic", "--out", "default"});
  INFO(result.out << result.err);
  CHECK(result.code == 1);
  const auto json = report(folder.path() / "default");
  CHECK(json["first_divergence"]["phase"] == "backward");
  CHECK(json["first_divergence"]["tensor"] == "lookup1.weight");
  CHECK_THAT(last_line(result.out), StartsWith("verdict: different (default, cpu, 2 runs, "));
}

TEST_CASE("a GPU that cannot be used is exit code 3 with the reason, never the CPU instead") {
  const TemporaryFolder folder;
  const std::string device = GENERATE(std::string("cuda"), std::string("cuda:99"));
  const Cli cli(folder.path());
  const CliResult result = cli({"--config", config("tiny.json"), "--device", device, "--out", "audit"});
  INFO(result.err);
  CHECK(result.code == 3);
  CHECK_THAT(result.err, ContainsSubstring("device " + device + " is not there: "));
  CHECK_FALSE(fs::exists(folder.path() / "audit"));
}

TEST_CASE("the reason names the driver: too old, or without a GPU") {
  const char* drivers = std::getenv("REPRO_FAKE_DRIVERS");
  REQUIRE(drivers != nullptr);
  const auto [driver, reason] =
      GENERATE(std::pair<std::string, std::string>{"driver-old", "supports CUDA 12.4, CUDA 13.0 is needed"},
               std::pair<std::string, std::string>{"driver-empty", "no GPU found"},
               // The plugin is absent, or its libraries are (lean LibTorch), or they see through the fake.
               std::pair<std::string, std::string>{"driver-good", "CUDA"});
  const TemporaryFolder folder;
  const Cli cli(folder.path(), {{"LD_LIBRARY_PATH", std::string(drivers) + "/" + driver}});
  const CliResult named = cli({"--config", config("tiny.json"), "--device", "cuda", "--out", "audit"});
  INFO(named.err);
  CHECK(named.code == 3);
  CHECK_THAT(named.err, ContainsSubstring(reason));
  const CliResult automatic = cli({"--config", config("tiny.json"), "--device", "auto", "--out", "audit"});
  CHECK(automatic.code == 0);
  CHECK_THAT(automatic.out, StartsWith("CPU selected: ") && ContainsSubstring(reason));
}

}  // namespace
}  // namespace repro

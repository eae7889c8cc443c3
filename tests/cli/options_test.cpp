// Which value wins: option over --set over file; what the record says.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;

nlohmann::json json_file(const fs::path& path) { return nlohmann::json::parse(read_text_file(path)); }

TEST_CASE("an option wins over --set, --set over the file, the last --set over earlier ones") {
  const FakeAudit audit;
  REQUIRE(audit
              .run({"--set", "/training/epochs=3", "--set", "/training/epochs=1", "--set", "/seed/cpu=5",
                    "--set", "/audit/runs=4", "--seed", "7", "--runs", "2"})
              .code == 0);
  const auto spec = json_file(audit.path() / "spec.json");
  CHECK(spec["training"]["epochs"] == 1);
  CHECK(spec["seed"]["cpu"] == 7);
  CHECK(spec["seed"]["gpu"] == 7);
  CHECK(spec["seed"]["data"] == 7);
  CHECK(spec["audit"]["runs"] == 2);
}

TEST_CASE("'run' may be written or left out, a spec may come from standard input") {
  const FakeAudit audit;
  const std::string spec = read_text_file(config("tiny.json"));
  CHECK(audit.cli()({"run", "--config", config("tiny.json"), "--out", "a"}).code == 0);
  CHECK(audit.cli()({"--config", "-", "--out", "b"}, spec).code == 0);
  CHECK(read_text_file(audit.path("a/spec.json")) == read_text_file(audit.path("b/spec.json")));
}

TEST_CASE("threads: 0 is what this process may use, resolved in the request") {
  const FakeAudit audit;
  REQUIRE(audit.run({"--threads", "0"}).code == 0);
  CHECK(json_file(audit.path() / "runs/deterministic-0/request.json")["threads"].get<int>() >= 1);
  const FakeAudit three;
  REQUIRE(three.run({"--threads", "3"}).code == 0);
  const auto request = json_file(three.path() / "runs/deterministic-1/request.json");
  CHECK(request["threads"] == 3);
  CHECK(request["environment"]["OMP_NUM_THREADS"] == "3");
}

TEST_CASE("CUBLAS_WORKSPACE_CONFIG: ours, a user's valid value kept, an invalid one refused") {
  const auto workspace = [](const FakeAudit& audit) {
    return json_file(audit.path() / "runs/deterministic-0/request.json")["environment"];
  };
  const FakeAudit ours;
  REQUIRE(ours.run().code == 0);
  CHECK(workspace(ours)["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8");
  const FakeAudit kept("", {{"CUBLAS_WORKSPACE_CONFIG", ":16:8"}});
  REQUIRE(kept.run().code == 0);
  CHECK_FALSE(workspace(kept).contains("CUBLAS_WORKSPACE_CONFIG"));
  const FakeAudit invalid("", {{"CUBLAS_WORKSPACE_CONFIG", ":1:2"}});
  const CliResult refused = invalid.run();
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("':1:2'") && ContainsSubstring(":4096:8"));
  CHECK(invalid.run({"--nondeterministic"}).code == 0);
}

TEST_CASE("all mistakes of a spec are listed in one go") {
  const FakeAudit audit;
  const CliResult result = audit.run(
      {"--set", "/training/epochs=2.5", "--set", "/optimizer/beta1=1", "--set", "/model/layers/0/filter=3"});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, ContainsSubstring("/training/epochs") && ContainsSubstring("/optimizer/beta1") &&
                             ContainsSubstring("did you mean 'filters'?"));
}

TEST_CASE("a bare word for --set gets a hint about quotes") {
  const FakeAudit audit;
  const CliResult result = audit.run({"--set", "/name=digits"});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, ContainsSubstring("\"digits\""));
}

}  // namespace
}  // namespace repro

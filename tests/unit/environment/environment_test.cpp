#include "repro/environment/environment.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "repro_build_info.h"

using namespace repro;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

}  // namespace

TEST_CASE("what any Linux machine knows is known") {
  ::setenv("OMP_NUM_THREADS", "3", 1);
  ::setenv("NCCL_DEBUG_TOKEN", "secret", 1);
  const MachineFacts facts = machine_facts();
  REQUIRE(facts.cores_online);
  REQUIRE(facts.cores_affinity);
  CHECK(*facts.cores_affinity >= 1);
  CHECK(*facts.cores_affinity <= *facts.cores_online);
  REQUIRE(facts.memory_bytes);
  CHECK(*facts.memory_bytes > 1'000'000);
  CHECK(facts.kernel->starts_with("Linux "));
  CHECK(facts.libc->starts_with("glibc 2."));
  CHECK(facts.variables.at("OMP_NUM_THREADS") == "3");
  CHECK_FALSE(facts.variables.contains("NCCL_DEBUG_TOKEN"));
  CHECK_FALSE(facts.variables.contains("HOME"));

  CHECK(usable_cores() >= 1);
  CHECK(usable_cores() <= *facts.cores_affinity);
}

TEST_CASE("the build names itself") {
  const BuildFacts facts = build_facts();
  CHECK(facts.version == build_info::version);
  CHECK(build_identity() == facts.version + "+" + facts.revision);
  CHECK(facts.flags.find("-ffp-contract=off") != std::string::npos);
  CHECK(facts.flags.find("prefix-map") == std::string::npos);  // would name folders of this machine
  CHECK(facts.flags.find("  ") == std::string::npos);
}

TEST_CASE("environment.json has the same keys in the same order, null for what is unknown") {
  const std::string empty = environment_json({}, {});
  const std::string full = environment_json(machine_facts(), build_facts());
  const Json unknown = Json::parse(empty);
  const Json known = Json::parse(full);
  CHECK(unknown["format"] == "repro-train/environment");
  CHECK(unknown["version"] == 1);
  CHECK(keys(unknown) == keys(known));
  CHECK(keys(unknown["machine"]) == keys(known["machine"]));
  CHECK(keys(unknown["build"]) == keys(known["build"]));
  CHECK(unknown["machine"]["cpu_model"].is_null());
  CHECK(unknown["machine"]["cores_quota"].is_null());
  CHECK(unknown["machine"]["cpu_flags"] == Json::array());
  CHECK(unknown["machine"]["variables"] == Json::object());
  CHECK(empty.ends_with("}\n"));
}

TEST_CASE("environment.json holds the facts as they are") {
  MachineFacts machine;
  machine.cpu_model = "A \"quoted\" CPU";
  machine.cpu_flags = {"avx2", "avx512f"};
  machine.cores_quota = 1.5;
  machine.memory_bytes = 18446744073709551615U;
  machine.variables = {{"LD_PRELOAD", "bytes \xFF that are no text"}, {"OMP_NUM_THREADS", "2"}};
  const Json json = Json::parse(environment_json(machine, {}))["machine"];
  CHECK(json["cpu_model"] == "A \"quoted\" CPU");
  CHECK(json["cpu_flags"] == Json({"avx2", "avx512f"}));
  CHECK(json["cores_quota"] == 1.5);
  CHECK(json["memory_bytes"] == 18446744073709551615U);
  CHECK(json["variables"]["LD_PRELOAD"] == "bytes \xEF\xBF\xBD that are no text");
  CHECK(json["variables"]["OMP_NUM_THREADS"] == "2");
}

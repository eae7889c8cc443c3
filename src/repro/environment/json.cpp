#include <nlohmann/json.hpp>

#include "repro/environment/environment.h"

namespace repro {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json machine_json(const MachineFacts& facts) {
  return {{"cpu_model", or_null(facts.cpu_model)},
          {"cpu_flags", facts.cpu_flags},
          {"cores_online", or_null(facts.cores_online)},
          {"cores_affinity", or_null(facts.cores_affinity)},
          {"cores_quota", or_null(facts.cores_quota)},
          {"memory_bytes", or_null(facts.memory_bytes)},
          {"architecture", or_null(facts.architecture)},
          {"kernel", or_null(facts.kernel)},
          {"operating_system", or_null(facts.operating_system)},
          {"libc", or_null(facts.libc)},
          {"nvidia_driver", or_null(facts.nvidia_driver)},
          {"variables", facts.variables}};
}

Json build_json(const BuildFacts& facts) {
  return {{"version", facts.version},
          {"revision", facts.revision},
          {"compiler", facts.compiler},
          {"flags", facts.flags},
          {"build_type", facts.build_type}};
}

}  // namespace

std::string environment_json(const MachineFacts& machine, const BuildFacts& build) {
  const Json json = {{"format", "repro-train/environment"},
                     {"version", 1},
                     {"machine", machine_json(machine)},
                     {"build", build_json(build)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace repro

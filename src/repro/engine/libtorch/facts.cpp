#include "repro/engine/libtorch/facts.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/headeronly/version.h>

#include <nlohmann/json.hpp>

#include "repro/base/error.h"

namespace repro {
namespace {

using Json = nlohmann::ordered_json;

// "" -> null: unknown is null, never a guess.
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json libraries(bool cuda) {
  const auto& hooks = at::detail::getCUDAHooks();
  Json out;
  out["libtorch"] = TORCH_VERSION;
  out["cpu_capability"] = at::get_cpu_capability();
  out["cuda_runtime"] = cuda ? Json(hooks.versionCUDART()) : Json(nullptr);
  out["cudnn"] = cuda && hooks.hasCuDNN() ? Json(hooks.versionRuntimeCuDNN()) : Json(nullptr);
  out["build"] = at::show_config();
  out["parallel"] = at::get_parallel_info();
  return out;
}

}  // namespace

void use_threads(std::int64_t threads) {
  at::set_num_threads(static_cast<int>(threads));
  if (at::get_num_threads() != threads) {
    throw Error(ErrorKind::unavailable, "threads: asked " + std::to_string(threads) + ", in force " +
                                            std::to_string(at::get_num_threads()));
  }
}

std::string run_environment(const RunRequest& request, const ResolvedDevice& device,
                            const std::vector<SettingValue>& before,
                            const std::vector<SettingValue>& in_force,
                            const std::vector<SettingValue>& after) {
  Json out;
  out["format"] = "repro-train/run-environment";
  out["version"] = 1;
  out["device"] = {{"device", device.device}, {"name", text_or_null(device.name)}};
  out["threads"] = {{"asked", request.threads}, {"in_force", at::get_num_threads()}};
  out["seed"] = {
      {"cpu", request.spec.seed.cpu}, {"gpu", request.spec.seed.gpu}, {"data", request.spec.seed.data}};
  Json settings = Json::array();
  for (std::size_t i = 0; i < before.size(); ++i) {
    settings.push_back({{"name", before[i].name},
                        {"before", before[i].value},
                        {"in_force", in_force.at(i).value},
                        {"after", after.at(i).value}});
  }
  out["determinism"] = settings;
  out["libraries"] = libraries(device.device != "cpu");
  return out.dump(2) + "\n";
}

}  // namespace repro

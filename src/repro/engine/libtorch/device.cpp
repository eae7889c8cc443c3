#include "repro/engine/libtorch/device.h"

#include <ATen/Context.h>
#include <dlfcn.h>

#include <charconv>
#include <filesystem>
#include <string_view>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/engine/libtorch/driver.h"

namespace repro {
namespace {

// LibTorch 2.11.0 is built for CUDA 13.0.
constexpr int needed_cuda_version = 13000;
constexpr const char* plugin_name = "librepro_cuda.so";

std::filesystem::path plugin_path() {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const auto& candidate : {folder / plugin_name, folder / "../../lib/repro-train" / plugin_name,
                                folder / "../lib/repro-train" / plugin_name}) {
    if (std::filesystem::exists(candidate)) return candidate;
  }
  return {};
}

// "" if LibTorch's CUDA part is there and works, else what is wrong.
std::string load_cuda_part() {
  const auto plugin = plugin_path();
  if (plugin.empty()) {
    return std::string(plugin_name) +
           " is not beside the worker nor in ../lib/repro-train; this build has no CUDA part";
  }
  if (dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    return "LibTorch's CUDA part cannot be loaded (a lean installation lacks its libraries): " +
           displayable(dlerror());
  }
  return at::hasCUDA() ? "" : "LibTorch finds no usable CUDA device";
}

int device_number(std::string_view asked) {
  if (asked == "auto" || asked == "cuda") return 0;
  int number = -1;
  const std::string_view digits = asked.substr(std::string_view("cuda:").size());
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

ResolvedDevice resolve_device(const std::string& asked) {
  if (asked == "cpu") return {"cpu", "", ""};
  const DriverFacts driver = ask_driver(needed_cuda_version);
  std::string problem = driver.problem;
  const int number = device_number(asked);
  if (problem.empty() && number >= static_cast<int>(driver.devices.size())) {
    problem = "there is no such GPU: " + plural(static_cast<std::int64_t>(driver.devices.size()), "GPU") +
              " found, numbered from 0";
  }
  if (problem.empty()) problem = load_cuda_part();
  if (problem.empty()) {
    return {"cuda:" + std::to_string(number), driver.devices[static_cast<std::size_t>(number)], ""};
  }
  if (asked == "auto") return {"cpu", "", problem};
  if (!driver.detail.empty()) problem += ": " + driver.detail;
  throw Error(ErrorKind::unavailable, "device " + displayable(asked) + " is not there: " + problem,
              "use --device cpu, or --device auto to take a GPU only if there is one");
}

}  // namespace repro

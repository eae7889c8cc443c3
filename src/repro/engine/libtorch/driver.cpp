#include "repro/engine/libtorch/driver.h"

#include <dlfcn.h>

#include <array>

namespace repro {
namespace {

// The few entry points of the driver API that are needed, by their documented C signatures.
using Init = int (*)(unsigned);
using DriverGetVersion = int (*)(int*);
using DeviceGetCount = int (*)(int*);
using DeviceGetName = int (*)(char*, int, int);

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

DriverFacts problem(std::string text, std::string detail = {}, int version = 0) {
  return {std::move(text), std::move(detail), version, {}};
}

}  // namespace

DriverFacts ask_driver(int needed_version) {
  // Never closed: LibTorch uses the same library for the rest of the process.
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return problem("no GPU found", "there is no NVIDIA driver (libcuda.so.1)");
  const auto init = reinterpret_cast<Init>(dlsym(library, "cuInit"));
  const auto get_version = reinterpret_cast<DriverGetVersion>(dlsym(library, "cuDriverGetVersion"));
  const auto get_count = reinterpret_cast<DeviceGetCount>(dlsym(library, "cuDeviceGetCount"));
  const auto get_name = reinterpret_cast<DeviceGetName>(dlsym(library, "cuDeviceGetName"));
  if (init == nullptr || get_version == nullptr || get_count == nullptr || get_name == nullptr) {
    return problem("libcuda.so.1 is not an NVIDIA driver library");
  }
  DriverFacts facts;
  if (get_version(&facts.version) != 0) facts.version = 0;
  if (facts.version < needed_version) {
    return problem("the NVIDIA driver is too old: it supports CUDA " + version_text(facts.version) +
                       ", CUDA " + version_text(needed_version) + " is needed",
                   "", facts.version);
  }
  int count = 0;
  const int status = init(0);
  if (status == 100 || (status == 0 && (get_count(&count) != 0 || count == 0))) {
    return problem("no GPU found", "the NVIDIA driver sees none", facts.version);
  }
  if (status != 0) {
    return problem("the NVIDIA driver cannot be used: cuInit failed with error " + std::to_string(status), "",
                   facts.version);
  }
  for (int device = 0; device < count; ++device) {
    std::array<char, 256> name{};
    if (get_name(name.data(), static_cast<int>(name.size()) - 1, device) != 0) name[0] = '\0';
    facts.devices.emplace_back(name.data());
  }
  return facts;
}

}  // namespace repro

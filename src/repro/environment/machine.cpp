#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>

#include "repro/environment/environment.h"
#include "repro/environment/system_text.h"

namespace repro {
namespace {

// The set grows until the kernel's own, which can be wider than 1,024 cores, fits into it.
std::optional<std::int64_t> cores_affinity() {
  for (std::size_t cores = 1024; cores <= (std::size_t{1} << 20); cores *= 2) {
    const std::size_t size_bytes = CPU_ALLOC_SIZE(cores);
    const auto release = [](cpu_set_t* set) { CPU_FREE(set); };
    const std::unique_ptr<cpu_set_t, decltype(release)> set(CPU_ALLOC(cores), release);
    if (set && ::sched_getaffinity(0, size_bytes, set.get()) == 0) {
      return CPU_COUNT_S(size_bytes, set.get());
    }
    if (!set || errno != EINVAL) break;
  }
  return std::nullopt;
}

template <class Parse>
auto from_file(const char* path, Parse parse) -> decltype(parse(std::string_view())) {
  const auto text = system_text(path);
  if (!text) return {};
  return parse(*text);
}

}  // namespace

MachineFacts machine_facts() {
  MachineFacts facts;
  facts.cpu_model = from_file("/proc/cpuinfo", cpu_model_in);
  facts.cpu_flags = from_file("/proc/cpuinfo", cpu_flags_in);
  facts.cores_online = from_file("/sys/devices/system/cpu/online", core_count_in);
  facts.cores_affinity = cores_affinity();
  facts.cores_quota = cores_quota("/");
  facts.memory_bytes = from_file("/proc/meminfo", memory_bytes_in);
  utsname name = {};
  if (::uname(&name) == 0) {
    facts.architecture = name.machine;
    facts.kernel = std::string(name.sysname) + " " + name.release;
  }
  facts.operating_system = from_file("/etc/os-release", operating_system_in);
  if (!facts.operating_system) {
    facts.operating_system = from_file("/usr/lib/os-release", operating_system_in);
  }
  facts.libc = std::string("glibc ") + ::gnu_get_libc_version();
  facts.nvidia_driver = from_file("/proc/driver/nvidia/version", nvidia_driver_in);
  if (!facts.nvidia_driver) {
    facts.nvidia_driver = from_file("/sys/module/nvidia/version", nvidia_driver_in);
  }
  facts.variables = reported_variables(environ);
  return facts;
}

std::int64_t usable_cores() {
  std::int64_t cores =
      cores_affinity().value_or(from_file("/sys/devices/system/cpu/online", core_count_in).value_or(1));
  if (const auto quota = cores_quota("/"); quota && *quota < static_cast<double>(cores)) {
    cores = static_cast<std::int64_t>(std::ceil(*quota));
  }
  return std::max<std::int64_t>(cores, 1);
}

}  // namespace repro

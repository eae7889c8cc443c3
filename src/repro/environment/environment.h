#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace repro {

// What the machine and the build are, without LibTorch and without starting anything. Unknown is absent,
// never a guess.
struct MachineFacts {
  std::optional<std::string> cpu_model;
  std::vector<std::string> cpu_flags;  // those that decide instruction-set dispatch: avx2, avx512f, …
  std::optional<std::int64_t> cores_online;
  std::optional<std::int64_t> cores_affinity;  // sched_getaffinity
  std::optional<double> cores_quota;           // cgroup v1/v2 CPU quota, absent = none
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::string> architecture;  // "x86_64"
  std::optional<std::string> kernel, operating_system, libc;
  std::optional<std::string> nvidia_driver;  // from /proc/driver/nvidia/version or /sys/module/nvidia/version
  std::map<std::string, std::string>
      variables;  // allow-list of what LibTorch, CUDA, OpenMP, MKL, oneDNN, NCCL, glibc read
};
MachineFacts machine_facts();

// Cores that this process may use: min(affinity, ceil(quota)), at least 1.
std::int64_t usable_cores();

struct BuildFacts {
  std::string version, revision, compiler, flags, build_type;
};
BuildFacts build_facts();
// "<version>+<revision>": repro-train and its workers must agree on it.
std::string build_identity();

// environment.json of an audit: {"format": "repro-train/environment", "version": 1, "machine": …, "build":
// …}. Unknown facts are null. Bytes that are no UTF-8 (possible in variables) become U+FFFD.
std::string environment_json(const MachineFacts& machine, const BuildFacts& build);

}  // namespace repro

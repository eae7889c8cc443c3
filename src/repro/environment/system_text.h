#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repro {

// Facts out of the texts that Linux offers. What is not there, or not understood, is absent.

// A whole file below /proc or /sys (whose sizes say 0) or a small ordinary one.
std::optional<std::string> system_text(const std::filesystem::path& path);

std::optional<std::string> cpu_model_in(std::string_view cpuinfo);
// The flags of the first processor that decide instruction-set dispatch, in an order of our own.
std::vector<std::string> cpu_flags_in(std::string_view cpuinfo);
std::optional<std::uint64_t> memory_bytes_in(std::string_view meminfo);
// The length of a list such as "0-3,8".
std::optional<std::int64_t> core_count_in(std::string_view cpu_list);
std::optional<std::string> operating_system_in(std::string_view os_release);
// "580.65.06", from /proc/driver/nvidia/version or from /sys/module/nvidia/version.
std::optional<std::string> nvidia_driver_in(std::string_view version);

// Cores, from cpu.max of cgroup v2: "200000 100000" is 2, "max 100000" no quota.
std::optional<double> quota_v2_in(std::string_view cpu_max);
// Cores, from cpu.cfs_quota_us and cpu.cfs_period_us of cgroup v1; a quota of -1 is none.
std::optional<double> quota_v1_in(std::string_view quota_us, std::string_view period_us);
// The smallest quota of the process's group and all groups above it, v1 and v2, with /proc and /sys
// below `root`. In a container the group's own path may be invisible: then what is visible counts.
std::optional<double> cores_quota(const std::filesystem::path& root);

// Whether a variable may change the bits of a training or the choice of its libraries, and can hold no
// secret.
bool is_reported_variable(std::string_view name);
// Of entries "NAME=value" those that are reported.
std::map<std::string, std::string> reported_variables(const char* const* environment);

}  // namespace repro

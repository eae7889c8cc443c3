#include "repro/environment/system_text.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "repro/base/number.h"

namespace repro {
namespace {

// In the order in which they are reported; x86 as in /proc/cpuinfo, then 64-bit ARM.
constexpr std::array dispatch_flags = std::to_array<std::string_view>(
    {"sse4_1",      "sse4_2",       "avx",         "f16c",           "fma",
     "avx2",        "bmi1",         "bmi2",        "avx_vnni",       "avx512f",
     "avx512cd",    "avx512bw",     "avx512dq",    "avx512vl",       "avx512ifma",
     "avx512vbmi",  "avx512_vbmi2", "avx512_vnni", "avx512_bitalg",  "avx512_vpopcntdq",
     "avx512_bf16", "avx512_fp16",  "avx_ifma",    "avx_ne_convert", "avx_vnni_int8",
     "avx10",       "amx_tile",     "amx_int8",    "amx_bf16",       "amx_fp16",
     "asimd",       "fphp",         "asimdhp",     "asimddp",        "asimdfhm",
     "sve",         "sve2",         "svebf16",     "i8mm",           "svei8mm",
     "bf16",        "sme",          "sme2"});

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (const std::string_view line : split(text, '\n')) {
    for (const std::string_view tabbed : split(line, '\t')) {
      for (const std::string_view word : split(tabbed, ' ')) {
        if (!trimmed(word).empty()) out.push_back(trimmed(word));
      }
    }
  }
  return out;
}

// The value of the first line "<key> <separator> <value>".
std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos && trimmed(line.substr(0, at)) == key) {
      return trimmed(line.substr(at + 1));
    }
  }
  return std::nullopt;
}

std::optional<std::string> non_empty(std::optional<std::string_view> text) {
  if (!text || text->empty()) return std::nullopt;
  return std::string(*text);
}

// A shell-quoted value of os-release(5).
std::string unquoted(std::string_view text) {
  const bool quoted =
      text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  if (!quoted) return std::string(text);
  std::string out;
  const std::string_view inner = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '\\' && text.front() == '"' && i + 1 < inner.size()) ++i;
    out += inner[i];
  }
  return out;
}

bool is_version(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789.") == std::string_view::npos &&
         word.front() != '.' && word.back() != '.';
}

}  // namespace

std::optional<std::string> system_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream out;
  out << file.rdbuf();
  if (!file || out.str().empty()) return std::nullopt;
  return std::move(out).str();
}

std::optional<std::string> cpu_model_in(std::string_view cpuinfo) {
  return non_empty(value_of(cpuinfo, "model name", ':'));
}

std::vector<std::string> cpu_flags_in(std::string_view cpuinfo) {
  auto line = value_of(cpuinfo, "flags", ':');
  if (!line) line = value_of(cpuinfo, "Features", ':');
  const std::vector<std::string_view> present = words(line.value_or(""));
  std::vector<std::string> out;
  for (const std::string_view flag : dispatch_flags) {
    if (std::find(present.begin(), present.end(), flag) != present.end()) out.emplace_back(flag);
  }
  return out;
}

std::optional<std::uint64_t> memory_bytes_in(std::string_view meminfo) {
  const auto parts = words(value_of(meminfo, "MemTotal", ':').value_or(""));
  if (parts.size() != 2 || parts[1] != "kB") return std::nullopt;
  const auto kibibytes = parse_unsigned(parts[0]);
  if (!kibibytes || *kibibytes > UINT64_MAX / 1024) return std::nullopt;
  return *kibibytes * 1024;
}

std::optional<std::int64_t> core_count_in(std::string_view cpu_list) {
  std::int64_t count = 0;
  for (const std::string_view part : split(trimmed(cpu_list), ',')) {
    const auto bounds = split(part, '-');
    const auto first = parse_integer(bounds.front());
    const auto last = parse_integer(bounds.back());
    if (bounds.size() > 2 || !first || !last || *first < 0 || *last < *first || *last > 1 << 20) {
      return std::nullopt;
    }
    count += *last - *first + 1;
  }
  return count;
}

std::optional<std::string> operating_system_in(std::string_view os_release) {
  for (const std::string_view key : {"PRETTY_NAME", "NAME"}) {
    if (const auto value = value_of(os_release, key, '=')) return non_empty(unquoted(*value));
  }
  return std::nullopt;
}

std::optional<std::string> nvidia_driver_in(std::string_view version) {
  const auto line = value_of(version, "NVRM version", ':');
  for (const std::string_view word : words(line.value_or(version))) {
    if (is_version(word) && word.find('.') != std::string_view::npos) return std::string(word);
  }
  return std::nullopt;
}

std::optional<double> quota_v2_in(std::string_view cpu_max) {
  const auto parts = words(cpu_max);
  if (parts.empty() || parts.size() > 2) return std::nullopt;
  return quota_v1_in(parts[0], parts.size() == 2 ? parts[1] : "100000");  // the kernel's default
}

std::optional<double> quota_v1_in(std::string_view quota_us, std::string_view period_us) {
  const auto quota = parse_integer(trimmed(quota_us));
  const auto period = parse_integer(trimmed(period_us));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> cores_quota(const std::filesystem::path& root) {
  std::optional<double> smallest;
  const auto consider = [&](std::optional<double> quota) {
    if (quota && (!smallest || *quota < *smallest)) smallest = quota;
  };
  const auto text = [](const std::filesystem::path& path) { return system_text(path).value_or(""); };
  const std::filesystem::path mounts = root / "sys/fs/cgroup";
  const std::string groups = text(root / "proc/self/cgroup");
  for (const std::string_view line : split(groups, '\n')) {
    // "<hierarchy>:<controllers>:<path>"; no controllers: v2, which may stand beside v1 in "unified".
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const auto names = split(controllers, ',');
    const bool version_1 = std::find(names.begin(), names.end(), "cpu") != names.end();
    if (!version_1 && !controllers.empty()) continue;
    std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path();
    if (line.find("..") != std::string_view::npos) group.clear();  // outside of our namespace
    for (;; group = group.parent_path()) {
      if (version_1) {
        for (const auto& mount : {mounts / "cpu", mounts / controllers}) {
          consider(quota_v1_in(text(mount / group / "cpu.cfs_quota_us"),
                               text(mount / group / "cpu.cfs_period_us")));
        }
      } else {
        for (const auto& mount : {mounts, mounts / "unified"}) {
          consider(quota_v2_in(text(mount / group / "cpu.max")));
        }
      }
      if (group.empty()) break;
    }
  }
  return smallest;
}

}  // namespace repro

#include "repro/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "repro/base/bytes.h"

namespace repro {
namespace {

// One decoded character: its code point, or nothing if the bytes at `text` are not valid UTF-8
// (overlong forms, surrogates and values above U+10FFFF included).
struct Decoded {
  std::optional<char32_t> code_point;
  std::size_t length = 1;
};

Decoded decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid = value >= smallest[length] && value <= 0x10FFFF && !(value >= 0xD800 && value <= 0xDFFF);
  return valid ? Decoded{value, length} : Decoded{};
}

// Invisible or direction-changing characters that could make a name look like another one.
bool is_deceptive(char32_t c) {
  return (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

std::string escaped(char32_t c) {
  switch (c) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    case '\\': return "\\\\";
    default: break;
  }
  if (c < 0x100) return "\\x" + hex_of(static_cast<std::uint8_t>(c));
  std::array<char, 16> out{};
  std::snprintf(out.data(), out.size(), "\\u{%04X}", static_cast<unsigned>(c));
  return out.data();
}

// Optimal string alignment distance; names are short, so the full table is fine.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::string formatted(const char* format, double value) {
  std::array<char, 64> out{};
  std::snprintf(out.data(), out.size(), format, value);
  return out.data();
}

// Matches one character against the set that starts at pattern[at] == '['; `next` is set behind it.
// An unclosed set is no set: then nothing is returned.
std::optional<bool> set_matches(std::string_view pattern, std::size_t at, char c, std::size_t& next) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && pattern[i] == '!';
  if (negated) ++i;
  bool found = false;
  for (const std::size_t first = i; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      found |= pattern[i] <= c && c <= pattern[i + 2];
      i += 2;
    } else {
      found |= pattern[i] == c;
    }
  }
  if (i >= pattern.size()) return std::nullopt;
  next = i + 1;
  return found != negated;
}

// Matches one character against the pattern element at `at`, which is no star.
bool element_matches(std::string_view pattern, std::size_t at, char c, std::size_t& next) {
  next = at + 1;
  if (pattern[at] == '?') return true;
  if (pattern[at] == '[') {
    if (const auto result = set_matches(pattern, at, c, next)) return *result;
  }
  return pattern[at] == c;
}

}  // namespace

std::string displayable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code_point, length] = decode_utf8(text);
    if (!code_point) {
      out += "\\x" + hex_of(static_cast<std::uint8_t>(text[0]));
    } else if (*code_point < 0x20 || *code_point == '\\' || is_deceptive(*code_point)) {
      out += escaped(*code_point);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      text.remove_prefix(1);
      continue;
    }
    const Decoded decoded = decode_utf8(text);
    if (!decoded.code_point) return false;
    text.remove_prefix(decoded.length);
  }
  return true;
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  if (name.size() > 200) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t allowed = std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= allowed && (!best || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string thousands(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string thousands(std::int64_t value) {
  const auto magnitude =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return (value < 0 ? "-" : "") + thousands(magnitude);
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string plural(std::int64_t count, std::string_view noun) {
  return thousands(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

bool glob_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last star seen, and where its run may be extended
  std::size_t retry = 0;
  while (n < name.size()) {
    std::size_t next = 0;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && element_matches(pattern, p, name[n], next)) {
      p = next;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string human_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 0.01) return formatted("%.2f ms", seconds * 1e3);
  if (seconds < 1) return formatted("%.0f ms", seconds * 1e3);
  if (seconds < 60) return formatted("%.1f s", seconds);
  const auto whole = static_cast<std::int64_t>(std::min(seconds + 0.5, 1e15));
  std::array<char, 64> out{};
  if (whole < 3600) {
    std::snprintf(out.data(), out.size(), "%d min %02d s", static_cast<int>(whole / 60),
                  static_cast<int>(whole % 60));
  } else {
    std::snprintf(out.data(), out.size(), "%lld h %02d min", static_cast<long long>(whole / 3600),
                  static_cast<int>(whole % 3600 / 60));
  }
  return out.data();
}

std::string human_bytes(std::uint64_t size_bytes) {
  if (size_bytes < 1000) return plural(static_cast<std::int64_t>(size_bytes), "byte");
  auto value = static_cast<double>(size_bytes);
  constexpr std::array<const char*, 6> units = {"kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (value /= 1000; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  return formatted(value < 9.95 ? "%.1f " : "%.0f ", value) + units[unit];
}

}  // namespace repro

#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace repro {

// An interval of numbers; an open end is not part of it. NaN is in none.
struct Range {
  double low = 0;
  double high = 0;
  bool low_open = false;
  bool high_open = false;
  bool contains(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }
};
constexpr Range from_to(double low, double high) { return {low, high}; }
constexpr Range above_to(double low, double high) { return {low, high, true, false}; }
constexpr Range from_below(double low, double high) { return {low, high, false, true}; }

// "0 to 1000000", "above 0, at most 1", "at least 0, below 1".
std::string range_text(const Range& range);

// Which strings a field admits. `text` says so to people, `pattern` (an ECMA regular expression, ""
// for none) to editors; `accepts` decides.
struct TextRule {
  bool (*accepts)(std::string_view) = nullptr;
  std::string_view text;
  std::string_view pattern;
};

// One key of a spec struct: the single place from which decoder, encoder, JSON Schema and
// documentation learn about it (see fields.h). The key's type and, unless `required`, its default
// are those of the member that the key stands for.
struct Field {
  std::string_view key;
  std::string_view help;       // Markdown, one line
  std::string_view unit = {};  // "steps"; "" for none
  bool required = false;
  std::optional<Range> range = {};     // numbers; for a list its length
  const TextRule* rule = nullptr;      // strings
  std::string_view default_text = {};  // shown where the default is no constant: "the kernel"
};

}  // namespace repro

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace repro {

// The shortest decimal that reads back to the same bits; "NaN", "Infinity", "-Infinity", "-0" kept
// (a NaN's payload is not shown). Independent of the locale.
std::string shortest(double value);
std::string shortest(float value);

// For people: at most `digits` significant digits, "0", "1.2e-07", "NaN", "Infinity".
std::string rounded(double value, int digits = 3);

// The whole text as a number in the given range or nothing: no spaces, no sign "+", no trailing text.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
std::optional<double> parse_double(std::string_view text);  // decimal; no NaN, no infinity, no overflow

}  // namespace repro

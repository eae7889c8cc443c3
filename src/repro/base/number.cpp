#include "repro/base/number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace repro {
namespace {

template <class T>
std::string shortest_of(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  std::array<char, 64> out{};
  const auto [end, error] = std::to_chars(out.data(), out.data() + out.size(), value);
  return {out.data(), end};
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string shortest(double value) { return shortest_of(value); }
std::string shortest(float value) { return shortest_of(value); }

std::string rounded(double value, int digits) {
  if (!std::isfinite(value) || value == 0) return shortest(value);
  std::array<char, 64> out{};
  const auto [end, error] =
      std::to_chars(out.data(), out.data() + out.size(), value, std::chars_format::general, digits);
  return {out.data(), end};
}

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_whole<std::int64_t>(text); }
std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}
std::optional<double> parse_double(std::string_view text) {
  const auto value = parse_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace repro

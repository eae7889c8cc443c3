#include "repro/data/quotient.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace repro {
namespace {

__extension__ using Int128 = __int128;

// Half of the spacing of floats is bit 28 of a double's fraction: where the bits from there on are
// 1000...0 the double is halfway between two floats, and only there can rounding twice go wrong.
bool is_halfway(double quotient) {
  const auto low_word = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(quotient));
  return (low_word & 0x1FFFFFFFU) == 0x10000000U;
}

// Rounds numerator / divisor, both positive, whose double quotient is halfway between two floats.
float round_from_halfway(double numerator, double divisor, double quotient) {
  int exponent = 0;
  const double fraction = std::frexp(quotient, &exponent);             // quotient = fraction * 2^exponent
  const auto mantissa = static_cast<std::int64_t>(fraction * 0x1p25);  // exact: 25 bits
  // Compare the numerator with divisor * mantissa * 2^(exponent - 25) in integers. Both sides are
  // below 2^79, because they are nearly equal and mantissa * divisor < 2^78.
  Int128 left = static_cast<std::int64_t>(numerator);
  Int128 right = Int128{static_cast<std::int64_t>(divisor)} * mantissa;
  const int shift = 25 - exponent;
  if (shift >= 0) {
    left <<= shift;
  } else {
    right <<= -shift;
  }
  const auto nearest_even = static_cast<float>(quotient);
  if (left == right) return nearest_even;
  const bool is_above = static_cast<double>(nearest_even) > quotient;
  if (left > right) {
    return is_above ? nearest_even : std::nextafter(nearest_even, std::numeric_limits<float>::infinity());
  }
  return is_above ? std::nextafter(nearest_even, 0.0F) : nearest_even;
}

}  // namespace

float rounded_quotient(double numerator, double divisor) {
  const double quotient = numerator / divisor;
  if (!is_halfway(quotient)) return static_cast<float>(quotient);
  return std::copysign(round_from_halfway(std::fabs(numerator), divisor, std::fabs(quotient)),
                       static_cast<float>(numerator));
}

void rounded_quotients(std::span<const double> numerators, double offset, double divisor,
                       std::span<float> out) {
  // The common case in one pass that vectorises; the halfway cases, about one in 2^29, afterwards.
  unsigned any_halfway = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double quotient = (numerators[i] - offset) / divisor;
    any_halfway |= static_cast<unsigned>(is_halfway(quotient));
    out[i] = static_cast<float>(quotient);
  }
  if (any_halfway == 0) return;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = rounded_quotient(numerators[i] - offset, divisor);
  }
}

}  // namespace repro

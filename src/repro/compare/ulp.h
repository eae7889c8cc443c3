#pragma once

#include <cstdint>
#include <optional>

#include "repro/compare/number_format.h"

namespace repro {

// ULP distances: the number of steps from one value to the other along the representable values of the
// format. Neighbours are 1 apart; -0 and +0 are one point; the smallest negative and the smallest positive
// subnormal are 2 apart. Symmetric; 0 for equal values.

// Precondition: both finite. At most 2^64 - 2^53: it cannot overflow.
template <class Format>
constexpr std::uint64_t ulp_distance(typename Format::Bits left, typename Format::Bits right) {
  const std::uint64_t a = Format::magnitude(left), b = Format::magnitude(right);
  if (Format::is_negative(left) != Format::is_negative(right)) return a + b;
  return a < b ? b - a : a - b;
}

// The same by dtype, for bits in the low end of the arguments; nothing for integers, booleans, NaN and
// infinities. For a complex dtype the bits are those of one part.
inline std::optional<std::uint64_t> ulp_distance(DType dtype, std::uint64_t left, std::uint64_t right) {
  return with_format(dtype, [&](auto format) -> std::optional<std::uint64_t> {
    using Format = decltype(format);
    if constexpr (Format::is_floating) {
      const auto l = static_cast<typename Format::Bits>(left);
      const auto r = static_cast<typename Format::Bits>(right);
      if (Format::is_finite(l) && Format::is_finite(r)) return ulp_distance<Format>(l, r);
    }
    return std::nullopt;
  });
}

}  // namespace repro

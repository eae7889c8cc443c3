#pragma once

#include <cstdint>
#include <span>

#include "repro/data/images.h"

namespace repro {

inline constexpr std::int64_t digit_rows = 28;
inline constexpr std::int64_t digit_columns = 28;
inline constexpr std::int64_t digit_classes = 10;

// `count` drawn digits, 28x28, white (up to 255) on black (0); sample i shows the digit i % 10, so
// any ten neighbours hold each class once. Sample i depends on (seed, i) only: all of its random
// numbers come from RandomStream(seed, "digits/<i>"). Integer arithmetic only: the same bytes on
// every machine. docs/data.md holds the definition. Error{request} unless count is in [1, 2^31).
ImageSet make_digits(std::int64_t count, std::uint32_t seed);

// Draws sample `index` of the set into `pixels` (28 * 28).
void draw_digit(std::uint32_t seed, std::int64_t index, std::span<std::uint8_t> pixels);

}  // namespace repro

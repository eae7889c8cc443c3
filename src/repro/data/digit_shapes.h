#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace repro {

// A point of a digit's shape; x to the right, y downwards.
struct ShapePoint {
  std::int64_t x = 0;
  std::int64_t y = 0;
};
using Polyline = std::vector<ShapePoint>;
using DigitShape = std::vector<Polyline>;

// The shapes are designed in a box of 64 by 96 units; coordinates are in 1/64 of such a unit.
inline constexpr std::int64_t shape_unit = 64;
inline constexpr std::int64_t shape_width = 64 * shape_unit;
inline constexpr std::int64_t shape_height = 96 * shape_unit;

// The styles of a digit (0..9), one or more, as strokes of straight pieces; curves are cut into 8.
// Made once, thread-safe, never changed.
std::span<const DigitShape> digit_styles(std::int64_t digit);

}  // namespace repro

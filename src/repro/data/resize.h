#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace repro {

// One dimension of a bicubic resize from `in` to `out` samples: output x is the sum over t in [0,
// taps) of weight[x * taps + t] * input[index[x * taps + t]], divided by `denominator`.
// Weights are integers (held in doubles) that add up to `denominator` at every x.
struct ResizeAxis {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t taps = 0;
  std::vector<std::size_t> index;
  std::vector<double> weight;
  std::int64_t denominator = 1;  // at most 2^22
  bool exact = true;             // false: weights are rounded to multiples of 2^-22
  double gain = 1;               // largest sum of |weight| / denominator over x
};

// The largest number of rows or columns that can be resized.
inline constexpr std::int64_t max_resize = 4096;

// Keys' cubic convolution kernel with a = -1/2 in the conventions of MATLAB's imresize: output x
// lies at u = (x + 1/2) in/out - 1/2; shrinking widens the kernel by in/out (antialiasing); weights
// are normalised to the sum 1; samples outside repeat by symmetric reflection. The weights are
// rational numbers. If their common denominator is at most 2^22 (enlarging to at most 64 samples
// always; 28 to 32: 2^13), they are exact. Otherwise each is rounded to the nearest multiple of
// 2^-22 (halves away from zero) and what the sum then lacks goes to the largest weight (the first
// of equals).
// Keys, "Cubic convolution interpolation for digital image processing", 1981.
// Precondition: in, out in [1, max_resize].
ResizeAxis bicubic_axis(std::int64_t in, std::int64_t out);

// Resizes byte images in exact arithmetic: every intermediate is an integer below 2^53 in a double,
// so the result does not depend on machine, order or vector width. Thread-safe.
class BicubicResizer {
 public:
  // Memory that a call needs; not to be shared by threads.
  struct Workspace {
    std::vector<double> columns, partial, row;
  };

  BicubicResizer(std::int64_t rows_in, std::int64_t columns_in, std::int64_t rows_out,
                 std::int64_t columns_out);

  std::int64_t rows() const { return rows_.out; }
  std::int64_t columns() const { return columns_.out; }
  // Results are divided by this: the product of the axes' denominators, at most 2^44.
  double denominator() const;

  // `out` (rows * columns) becomes integers; not clamped: overshoot below 0 and above 255 is kept.
  void resize(std::span<const std::uint8_t> in, Workspace& workspace, std::span<double> out) const;

 private:
  ResizeAxis rows_;
  ResizeAxis columns_;
};

}  // namespace repro

#pragma once

#include <cstddef>
#include <cstdint>

#include "repro/compare/pair_statistics.h"
#include "repro/tensor/dtype.h"

namespace repro {

// Vectorised comparison of blocks, for the instruction set of this machine (chosen when first called).
// Every kernel gives the same bits as ScalarPairs.

// What a block adds to the statistics, where all its numbers are finite.
struct BlockFacts {
  Lanes abs{}, squares{}, max_abs{}, max_relative{};  // by lane
  std::uint64_t max_ulp = 0;
  std::uint64_t at_small_distance = 0;  // ULP distances of exactly small_distance
  std::uint64_t different = 0;          // numbers whose bits differ
  bool beyond_tolerance = false;        // only looked for where the rule is a tolerance
};

// Counts of ULP distances by their bit width (0: equal values), in four banks that take turns, so that no
// increment waits for the one before it. A short block counts up to 7 pairs of zeros too many in width 0.
struct UlpCounters {
  std::uint64_t banks[4][65] = {};
  std::uint64_t of_width(std::size_t width) const {
    return banks[0][width] + banks[1][width] + banks[2][width] + banks[3][width];
  }
};

// float32, float64, float16 and bfloat16, and complex64 and complex128, whose parts count one by one.
bool has_kernel(DType dtype);

// Compares `count` numbers, 1 to block_numbers, at any alignment. False if some number is not finite, or a
// difference overflows: nothing has been counted then, and ScalarPairs must do the block.
// Precondition: has_kernel(dtype).
bool compare_block(DType dtype, const std::byte* left, const std::byte* right, std::size_t count,
                   const Rule& rule, BlockFacts& facts, UlpCounters& ulps);

// How many of `count` numbers are finite. Precondition: has_kernel(dtype).
std::uint64_t count_finite(DType dtype, const std::byte* numbers, std::size_t count);

}  // namespace repro

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "repro/compare/rule.h"

namespace repro {

// Facts about pairs of numbers of two tensors. max_abs, sum_abs, sum_squares and max_relative run over the
// pairs that are finite on both sides, in double; a difference or a sum beyond the range of double is
// infinite (max_relative never is: it is at most 2).
//
// Order of summation, which is part of the result: a block is 1,024 consecutive numbers (parts of complex
// elements count one by one), from number 0 on; lane j of 8 adds up the terms of the numbers of the block
// whose position modulo 8 is j, in order; the block's sum is ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 +
// s7)). A stretch is 1,024 blocks; the sums of its blocks are added in order, and then the sums of the
// stretches. Equal pairs contribute +0, so equal blocks may be skipped, and nothing depends on threads or
// SIMD width.
struct PairStatistics {
  std::uint64_t finite_pairs = 0;
  double max_abs = 0, sum_abs = 0, sum_squares = 0, max_relative = 0;
  std::uint64_t max_ulp = 0;
  std::array<std::uint64_t, 64> ulp_bins{};  // bin b: distances in [2^b, 2^(b+1))
  std::uint64_t last_bit = 0, small = 0;     // distances of 1, and of 2 to 2^10, or such integer differences
  std::uint64_t value_differences = 0, nan_mismatches = 0, sign_of_zero_mismatches = 0;
  std::uint64_t different = 0;                   // elements, not numbers
  std::optional<std::uint64_t> first_different;  // element
  bool within_rule = true;

  // Adds the facts of the numbers that follow.
  void append(const PairStatistics& next);
};

constexpr std::size_t block_numbers = 1024;
constexpr std::size_t lanes_of_block = 8;
constexpr std::size_t stretch_blocks = 1024;
constexpr std::uint64_t small_distance = 1024;  // 2^10

using Lanes = std::array<double, lanes_of_block>;
inline double sum_of(const Lanes& s) {
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

// |left - right| <= absolute + relative |left|, left being the reference. Where the difference overflows
// both sides are halved first (exact at that size), so that infinity never passes for a large bound.
inline bool within_tolerance(double reference, double candidate, const Rule& rule) {
  const double difference = std::fabs(candidate - reference);
  if (std::isfinite(difference)) return difference <= rule.absolute + rule.relative * std::fabs(reference);
  return std::fabs(candidate / 2 - reference / 2) <=
         rule.absolute / 2 + rule.relative * std::fabs(reference / 2);
}

inline void PairStatistics::append(const PairStatistics& next) {
  finite_pairs += next.finite_pairs;
  max_abs = std::max(max_abs, next.max_abs);
  sum_abs += next.sum_abs;
  sum_squares += next.sum_squares;
  max_relative = std::max(max_relative, next.max_relative);
  max_ulp = std::max(max_ulp, next.max_ulp);
  for (std::size_t bin = 0; bin < ulp_bins.size(); ++bin) ulp_bins[bin] += next.ulp_bins[bin];
  last_bit += next.last_bit;
  small += next.small;
  value_differences += next.value_differences;
  nan_mismatches += next.nan_mismatches;
  sign_of_zero_mismatches += next.sign_of_zero_mismatches;
  different += next.different;
  if (!first_different) first_different = next.first_different;
  within_rule = within_rule && next.within_rule;
}

}  // namespace repro

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "repro/base/bytes.h"
#include "repro/compare/diff.h"
#include "repro/compare/rule.h"
#include "repro/compare/ulp.h"

namespace repro {

// Facts about the pairs of numbers of two tensors. max_abs, sum_abs, sum_squares and max_relative run over
// the pairs that are finite on both sides, in double; a difference or a sum beyond the range of double is
// infinite (max_relative never is: it is at most 2).
struct PairStatistics {
  std::uint64_t finite_pairs = 0;
  double max_abs = 0, sum_abs = 0, sum_squares = 0, max_relative = 0;
  std::uint64_t max_ulp = 0;
  UlpHistogram ulp_histogram{};
  std::uint64_t value_differences = 0, nan_mismatches = 0, sign_of_zero_mismatches = 0;
  std::uint64_t different = 0;  // elements, not numbers
  std::optional<std::uint64_t> first_different;
  bool within_rule = true;
};

// |left - right| <= absolute + relative |left|, left being the reference. Where the difference overflows
// both sides are halved first (exact at that size), so that infinity never passes for a large bound.
inline bool within_tolerance(double reference, double candidate, const Rule& rule) {
  const double difference = std::fabs(candidate - reference);
  if (std::isfinite(difference)) return difference <= rule.absolute + rule.relative * std::fabs(reference);
  return std::fabs(candidate / 2 - reference / 2) <=
         rule.absolute / 2 + rule.relative * std::fabs(reference / 2);
}

// Compares numbers block by block. Order of summation, which is part of the result: a block is 1,024
// consecutive numbers (parts of complex elements count one by one), from number 0 on; lane j of 8 adds up
// the terms of the numbers of the block whose position modulo 8 is j, in order; the block's sum is
// ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)); the sums of blocks are added in order. Equal pairs
// contribute +0, so equal blocks may be skipped and nothing depends on threads or SIMD width.
template <class Format>
class PairComparer {
 public:
  using Bits = typename Format::Bits;
  static constexpr std::size_t block_numbers = 1024;

  PairComparer(const Rule& rule, PairStatistics& statistics)
      : rule_(rule), bitwise_(rule.type == Rule::Type::bitwise), statistics_(statistics) {}

  // Precondition: equal sizes, a whole number of elements.
  void compare(ByteView left, ByteView right) {
    constexpr std::size_t block_bytes = block_numbers * sizeof(Bits);
    for (std::size_t at = 0; at < left.size(); at += block_bytes) {
      const std::size_t size = std::min(block_bytes, left.size() - at);
      std::memcpy(left_.data(), left.data() + at, size);  // aligned, whatever the file's header length
      if (std::memcmp(left_.data(), right.data() + at, size) == 0) {
        statistics_.finite_pairs += count_finite(size / sizeof(Bits));
      } else {
        std::memcpy(right_.data(), right.data() + at, size);
        compare_block(size / sizeof(Bits), at / sizeof(Bits));
      }
    }
  }

 private:
  using Lanes = std::array<double, 8>;
  static double sum_of(const Lanes& s) {
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  }

  std::uint64_t count_finite(std::size_t count) const {
    if constexpr (!Format::is_floating) return Format::is_number ? count : 0;
    std::uint64_t finite = 0;
    for (std::size_t i = 0; i < count; ++i) finite += Format::is_finite(left_[i]) ? 1U : 0U;
    return finite;
  }

  void compare_block(std::size_t count, std::uint64_t first) {
    abs_ = Lanes{};
    squares_ = Lanes{};
    for (std::size_t i = 0; i < count; ++i) {
      const Bits l = left_[i], r = right_[i];
      if (l == r) {
        statistics_.finite_pairs += Format::is_number && Format::is_finite(l) ? 1U : 0U;
      } else {
        count_element((first + i) / Format::parts);
        compare_different(l, r, i % 8);
      }
    }
    statistics_.sum_abs += sum_of(abs_);
    statistics_.sum_squares += sum_of(squares_);
  }

  void count_element(std::uint64_t element) {
    if (statistics_.different > 0 && element == last_different_) return;
    ++statistics_.different;
    last_different_ = element;
    if (!statistics_.first_different) statistics_.first_different = element;
  }

  void compare_different(Bits l, Bits r, std::size_t lane) {
    bool passes = false;
    if (Format::is_nan(l) || Format::is_nan(r)) {
      ++statistics_.nan_mismatches;
      passes = Format::is_nan(l) && Format::is_nan(r);
    } else if (Format::is_zero(l) && Format::is_zero(r)) {
      ++statistics_.sign_of_zero_mismatches;
      ++statistics_.finite_pairs;
      passes = true;
    } else {
      ++statistics_.value_differences;
      if constexpr (Format::is_number) {
        if (Format::is_finite(l) && Format::is_finite(r)) {
          ++statistics_.finite_pairs;
          passes = measure(l, r, lane);
        }
      }
    }
    if (bitwise_ || !passes) statistics_.within_rule = false;
  }

  // Two finite numbers that differ in value; whether they pass the rules that allow for that.
  bool measure(Bits l, Bits r, std::size_t lane) {
    if constexpr (Format::is_floating) {
      const double left = Format::value(l), right = Format::value(r);
      add(std::fabs(left - right), std::max(std::fabs(left), std::fabs(right)), lane,
          std::fabs(left / 2 - right / 2));
      const std::uint64_t ulp = ulp_distance<Format>(l, r);
      statistics_.max_ulp = std::max(statistics_.max_ulp, ulp);
      ++statistics_.ulp_histogram[static_cast<std::size_t>(std::bit_width(ulp)) - 1];
      return (rule_.type == Rule::Type::ulp && ulp <= rule_.max_ulp) ||
             (rule_.type == Rule::Type::tolerance && within_tolerance(left, right, rule_));
    } else {
      const auto left = static_cast<typename Format::Integer>(l);
      const auto right = static_cast<typename Format::Integer>(r);
      // Modulo 2^64 the difference of sign-extended integers is exact.
      const auto wide_left = static_cast<std::uint64_t>(left);
      const auto wide_right = static_cast<std::uint64_t>(right);
      const double difference =
          static_cast<double>(left > right ? wide_left - wide_right : wide_right - wide_left);
      add(difference, std::max(std::fabs(Format::value(l)), std::fabs(Format::value(r))), lane,
          difference / 2);
      return false;
    }
  }

  // `half` stands in for half of `difference` where that overflows.
  void add(double difference, double larger, std::size_t lane, double half) {
    statistics_.max_abs = std::max(statistics_.max_abs, difference);
    const double relative = std::isfinite(difference) ? difference / larger : half / (larger / 2);
    statistics_.max_relative = std::max(statistics_.max_relative, relative);
    abs_[lane] += difference;
    squares_[lane] += difference * difference;
  }

  const Rule& rule_;
  const bool bitwise_;
  PairStatistics& statistics_;
  std::array<Bits, block_numbers> left_, right_;  // of one block; not cleared for each tensor
  Lanes abs_{}, squares_{};
  std::uint64_t last_different_ = 0;
};

}  // namespace repro

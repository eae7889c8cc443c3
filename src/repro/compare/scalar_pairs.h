#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "repro/base/bytes.h"
#include "repro/compare/pair_statistics.h"
#include "repro/compare/ulp.h"

namespace repro {

// The definition of all statistics, one pair after the other, for every format; the vectorised kernels
// (pair_kernels.h) give the same bits. Adds the facts of one block.
template <class Format>
class ScalarPairs {
 public:
  using Bits = typename Format::Bits;

  // `first` is the number of the block's first number in its tensor; it is even for complex formats.
  ScalarPairs(const Rule& rule, PairStatistics& statistics, std::uint64_t first)
      : rule_(rule),
        bitwise_(rule.type == Rule::Type::bitwise),
        statistics_(statistics),
        next_element_(first / Format::parts) {}

  void compare(ByteView left, ByteView right, std::uint64_t first) {
    const std::size_t count = left.size() / sizeof(Bits);
    for (std::size_t i = 0; i < count; ++i) {
      const auto l = load<Bits>(left, i * sizeof(Bits)), r = load<Bits>(right, i * sizeof(Bits));
      if (l == r) {
        statistics_.finite_pairs += Format::is_number && Format::is_finite(l) ? 1U : 0U;
      } else {
        count_element((first + i) / Format::parts);
        compare_different(l, r, i % lanes_of_block);
      }
    }
    statistics_.sum_abs += sum_of(abs_);
    statistics_.sum_squares += sum_of(squares_);
  }

 private:
  void count_element(std::uint64_t element) {
    if (element < next_element_) return;  // its other part was counted
    next_element_ = element + 1;
    ++statistics_.different;
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

  void count_distance(std::uint64_t distance) {
    if (distance == 1) {
      ++statistics_.last_bit;
    } else if (distance <= small_distance) {
      ++statistics_.small;
    }
  }

  // Two finite numbers that differ in value; whether they pass the rules that allow for that.
  bool measure(Bits l, Bits r, std::size_t lane) {
    if constexpr (Format::is_floating) {
      const double left = Format::value(l), right = Format::value(r);
      add(std::fabs(left - right), std::max(std::fabs(left), std::fabs(right)), lane,
          std::fabs(left / 2 - right / 2));
      const std::uint64_t ulp = ulp_distance<Format>(l, r);
      statistics_.max_ulp = std::max(statistics_.max_ulp, ulp);
      ++statistics_.ulp_bins[static_cast<std::size_t>(std::bit_width(ulp | 1)) - 1];  // never 0 here
      count_distance(ulp);
      return (rule_.type == Rule::Type::ulp && ulp <= rule_.max_ulp) ||
             (rule_.type == Rule::Type::tolerance && within_tolerance(left, right, rule_));
    } else {
      const auto left = static_cast<typename Format::Integer>(l);
      const auto right = static_cast<typename Format::Integer>(r);
      // Modulo 2^64 the difference of sign-extended integers is exact.
      const auto wide_left = static_cast<std::uint64_t>(left);
      const auto wide_right = static_cast<std::uint64_t>(right);
      const std::uint64_t distance = left > right ? wide_left - wide_right : wide_right - wide_left;
      count_distance(distance);
      const auto difference = static_cast<double>(distance);
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
  Lanes abs_{}, squares_{};
  std::uint64_t next_element_;
};

}  // namespace repro

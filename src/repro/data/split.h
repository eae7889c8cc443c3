#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "repro/spec/spec.h"

namespace repro {

// Sample indices of each part, ascending; together every sample once.
struct Split {
  std::vector<std::int64_t> train, validation, test;
};

// Shares `total` among the weights in proportion: rounded down, and what is then missing goes to
// the largest remainders, one each, the earlier of equals first. Exact integers.
// Precondition: no weight is negative; total and the weights' sum are in [0, 2^31), the sum not 0.
std::vector<std::int64_t> share_out(std::int64_t total, std::span<const std::int64_t> weights);

// How many of `count` samples go to training, validation and test, in this order: share_out with
// the weights round(2^30 fraction), halves upwards. Precondition: count < 2^31.
std::vector<std::int64_t> part_sizes(std::int64_t count, const SplitSpec& fractions);

// Stratified: the labels are spread over validation by share_out in proportion to their numbers of
// samples, then over test in proportion to what is left of them; the rest is for training. Which
// samples of label k: its samples in ascending order are shuffled with RandomStream(seed,
// "split/<k>"); the first go to validation, the next to test.
// Error{request} if no sample is left for training.
Split split_samples(std::span<const std::uint8_t> labels, const SplitSpec& fractions, std::uint32_t seed);

}  // namespace repro

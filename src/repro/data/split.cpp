#include "repro/data/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/random.h"
#include "repro/base/text.h"
#include "repro/data/shuffle.h"

namespace repro {
namespace {

constexpr std::size_t label_values = 256;

}  // namespace

std::vector<std::int64_t> share_out(std::int64_t total, std::span<const std::int64_t> weights) {
  const std::int64_t sum = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::vector<std::int64_t> shares, remainders;
  std::int64_t missing = total;
  for (const std::int64_t weight : weights) {
    shares.push_back(total * weight / sum);
    remainders.push_back(total * weight % sum);
    missing -= shares.back();
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(missing); ++i) ++shares[order[i]];
  return shares;
}

std::vector<std::int64_t> part_sizes(std::int64_t count, const SplitSpec& fractions) {
  std::vector<std::int64_t> weights;
  for (const double fraction : {fractions.train, fractions.validation, fractions.test}) {
    weights.push_back(static_cast<std::int64_t>(std::round(fraction * 0x1p30)));
  }
  return share_out(count, weights);
}

Split split_samples(std::span<const std::uint8_t> labels, const SplitSpec& fractions, std::uint32_t seed) {
  const auto count = static_cast<std::int64_t>(labels.size());
  const std::vector<std::int64_t> sizes = part_sizes(count, fractions);
  if (sizes[0] == 0) {
    throw Error(ErrorKind::request,
                "/data/split/train: " + shortest(fractions.train) + " of " + plural(count, "sample") +
                    " leaves none for training",
                "raise the fraction or the number of samples");
  }
  std::vector<std::vector<std::int64_t>> samples(label_values);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    samples[labels[i]].push_back(static_cast<std::int64_t>(i));
  }
  std::vector<std::int64_t> left;
  for (const auto& of_label : samples) left.push_back(static_cast<std::int64_t>(of_label.size()));
  const std::vector<std::int64_t> to_validation = share_out(sizes[1], left);
  for (std::size_t k = 0; k < label_values; ++k) left[k] -= to_validation[k];
  const std::vector<std::int64_t> to_test = share_out(sizes[2], left);

  Split split;
  for (std::size_t k = 0; k < label_values; ++k) {
    std::vector<std::int64_t>& of_label = samples[k];
    shuffle(of_label, seed, "split/" + std::to_string(k));
    const auto first_test = of_label.begin() + to_validation[k];
    const auto first_train = first_test + to_test[k];
    split.validation.insert(split.validation.end(), of_label.begin(), first_test);
    split.test.insert(split.test.end(), first_test, first_train);
    split.train.insert(split.train.end(), first_train, of_label.end());
  }
  for (auto* part : {&split.train, &split.validation, &split.test}) {
    std::sort(part->begin(), part->end());
  }
  return split;
}

}  // namespace repro

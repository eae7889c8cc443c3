#include "repro/data/split.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "repro/base/error.h"
#include "repro/data/shuffle.h"

namespace repro {
namespace {

std::vector<std::uint8_t> cyclic_labels(std::size_t count) {
  std::vector<std::uint8_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::uint8_t>(i % 10);
  return labels;
}

std::array<std::int64_t, 10> counts_by_label(const std::vector<std::int64_t>& samples,
                                             const std::vector<std::uint8_t>& labels) {
  std::array<std::int64_t, 10> counts{};
  for (const std::int64_t s : samples) ++counts[labels[static_cast<std::size_t>(s)]];
  return counts;
}

void check_complete_and_ascending(const Split& split, std::size_t count) {
  std::vector<std::int64_t> all;
  for (const auto* part : {&split.train, &split.validation, &split.test}) {
    CHECK(std::is_sorted(part->begin(), part->end()));
    all.insert(all.end(), part->begin(), part->end());
  }
  std::sort(all.begin(), all.end());
  std::vector<std::int64_t> expected(count);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(all == expected);
}

using Sizes = std::vector<std::int64_t>;

TEST_CASE("part sizes add up and go by the largest remainder") {
  CHECK(part_sizes(10000, {0.95, 0.025, 0.025}) == Sizes{9500, 250, 250});
  CHECK(part_sizes(60000, {0.95, 0.025, 0.025}) == Sizes{57000, 1500, 1500});
  CHECK(part_sizes(100, {0.95, 0.025, 0.025}) == Sizes{95, 3, 2});  // tie: the earlier part
  CHECK(part_sizes(10, {0.7, 0.2, 0.1}) == Sizes{7, 2, 1});
  CHECK(part_sizes(100, {0.57, 0.29, 0.14}) == Sizes{57, 29, 14});
  CHECK(part_sizes(7, {1, 0, 0}) == Sizes{7, 0, 0});
  CHECK(part_sizes(2147483647, {0.5, 0.25, 0.25}) == Sizes{1073741823, 536870912, 536870912});
  CHECK(share_out(7, Sizes{1, 0, 1, 1}) == Sizes{3, 0, 2, 2});
}

TEST_CASE("a split is stratified, disjoint and complete") {
  const auto labels = cyclic_labels(10000);
  const Split split = split_samples(labels, {0.95, 0.025, 0.025}, 0);
  check_complete_and_ascending(split, 10000);
  std::array<std::int64_t, 10> expected{};
  expected.fill(950);
  CHECK(counts_by_label(split.train, labels) == expected);
  expected.fill(25);
  CHECK(counts_by_label(split.validation, labels) == expected);
  CHECK(counts_by_label(split.test, labels) == expected);
}

TEST_CASE("uneven classes keep their shares, and totals stay exact") {
  std::vector<std::uint8_t> labels = cyclic_labels(90);
  labels.insert(labels.end(), 310, 3);  // 319 of label 3, 9 of every other
  const Split split = split_samples(labels, {0.5, 0.25, 0.25}, 0);
  check_complete_and_ascending(split, 400);
  CHECK(split.train.size() == 200);
  CHECK(split.validation.size() == 100);
  for (const auto* part : {&split.validation, &split.test}) {
    const auto counts = counts_by_label(*part, labels);
    for (std::size_t k = 0; k < 10; ++k) {
      const auto exact = k == 3 ? 319 / 4 : 9 / 4;
      CHECK(counts[k] >= exact);
      CHECK(counts[k] <= exact + 1);
    }
  }
}

TEST_CASE("few samples are spread over the classes") {
  const auto labels = cyclic_labels(100);
  const Split split = split_samples(labels, {0.95, 0.025, 0.025}, 0);
  const auto in_validation = counts_by_label(split.validation, labels);
  const auto in_test = counts_by_label(split.test, labels);
  for (std::size_t k = 0; k < 10; ++k) CHECK(in_validation[k] + in_test[k] <= 1);
}

TEST_CASE("a split depends on the seed and is repeatable") {
  const auto labels = cyclic_labels(1000);
  const Split a = split_samples(labels, {}, 0);
  const Split b = split_samples(labels, {}, 0);
  const Split other = split_samples(labels, {}, 1);
  CHECK(a.test == b.test);
  CHECK(a.test != other.test);
  CHECK(a.validation != other.validation);
}

TEST_CASE("a split may leave validation and test empty, but not training") {
  const auto labels = cyclic_labels(10);
  CHECK(split_samples(labels, {1, 0, 0}, 0).train.size() == 10);
  CHECK(split_samples(cyclic_labels(1), {0.95, 0.025, 0.025}, 0).train.size() == 1);
  try {
    split_samples(labels, {0.01, 0.5, 0.49}, 0);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::request);
    CHECK(error.message() == "/data/split/train: 0.01 of 10 samples leaves none for training");
  }
}

TEST_CASE("a shuffle is a permutation that seed and stream decide") {
  std::vector<std::int64_t> sorted(1000);
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto shuffled = [&](std::uint32_t seed, std::string_view stream) {
    auto out = sorted;
    shuffle(out, seed, stream);
    return out;
  };
  const auto a = shuffled(0, "order/1");
  CHECK(std::is_permutation(a.begin(), a.end(), sorted.begin()));
  CHECK(a != sorted);
  CHECK(a == shuffled(0, "order/1"));
  CHECK(a != shuffled(1, "order/1"));
  CHECK(a != shuffled(0, "order/2"));
}

}  // namespace
}  // namespace repro

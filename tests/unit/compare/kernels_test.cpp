#include <hwy/targets.h>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "repro/compare/diff.h"
#include "repro/compare/pair_kernels.h"
#include "repro/compare/scalar_pairs.h"
#include "tensors.h"

namespace {

using namespace repro;

// Kernels against the definition, with every instruction set that this machine has.

const DType dtypes[] = {DType::float16, DType::bfloat16,  DType::float32,
                        DType::float64, DType::complex64, DType::complex128};

// Numbers of one block: `count` elements of random bits, or near ones, or small ones.
enum class Kind { random_bits, neighbours, ordinary, zeros };
Bytes numbers(std::mt19937_64& random, DType dtype, std::size_t count, Kind kind) {
  Bytes bytes(count * size_of(dtype));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  if (kind == Kind::random_bits) return bytes;
  // Clear the top bits of exponents, so that everything is finite.
  const std::size_t size = is_complex(dtype) ? size_of(dtype) / 2 : size_of(dtype);
  for (std::size_t at = size - 1; at < bytes.size(); at += size) {
    bytes[at] &= kind == Kind::zeros ? std::byte{0x80} : std::byte{0xBF};
    if (kind == Kind::zeros)
      std::fill(bytes.begin() + static_cast<long>(at + 1 - size), bytes.begin() + static_cast<long>(at),
                std::byte{0});
  }
  return bytes;
}
void nudge(std::mt19937_64& random, DType dtype, Bytes& bytes) {
  const std::size_t size = is_complex(dtype) ? size_of(dtype) / 2 : size_of(dtype);
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    if (random() % 3 == 0) bytes[at] ^= static_cast<std::byte>(1U << (random() % 3));
    if (random() % 50 == 0) bytes[at + size - 1] ^= std::byte{0x80};
  }
}

PairStatistics by_definition(DType dtype, const Bytes& left, const Bytes& right, const Rule& rule) {
  PairStatistics statistics;
  with_format(dtype, [&](auto format) {
    ScalarPairs<decltype(format)>(rule, statistics, 0).compare(left, right, 0);
  });
  return statistics;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// What compare_block finds, if it takes the block, must be what the definition finds.
void check_block(DType dtype, const Bytes& left, const Bytes& right, const Rule& rule) {
  const std::size_t count = left.size() / (size_of(dtype) / (is_complex(dtype) ? 2 : 1));
  BlockFacts facts;
  UlpCounters ulps;
  const bool taken = compare_block(dtype, left.data(), right.data(), count, rule, facts, ulps);
  const PairStatistics expected = by_definition(dtype, left, right, rule);
  REQUIRE(taken == (expected.finite_pairs == count && expected.max_abs < HUGE_VAL));
  if (!taken) return;
  REQUIRE(same_bits(sum_of(facts.abs), expected.sum_abs));
  REQUIRE(same_bits(sum_of(facts.squares), expected.sum_squares));
  REQUIRE(*std::ranges::max_element(facts.max_abs) == expected.max_abs);
  REQUIRE(*std::ranges::max_element(facts.max_relative) == expected.max_relative);
  REQUIRE(facts.max_ulp == expected.max_ulp);
  REQUIRE(facts.different == expected.value_differences + expected.sign_of_zero_mismatches);
  std::uint64_t small = facts.at_small_distance;
  for (std::size_t width = 1; width <= 64; ++width) {
    REQUIRE(ulps.of_width(width) == expected.ulp_bins[width - 1]);
    if (width >= 2 && width <= 10) small += ulps.of_width(width);
  }
  REQUIRE(small == expected.small);
  if (rule.type == Rule::Type::tolerance) REQUIRE(facts.beyond_tolerance == !expected.within_rule);
}

void check_all_blocks() {
  std::mt19937_64 random(7);
  const Rule rules[] = {parse_rule("bitwise"), parse_rule("tolerance=1e-3,1e-6")};
  for (const DType dtype : dtypes) {
    for (int round = 0; round < 60; ++round) {
      const std::size_t elements = 1 + random() % (is_complex(dtype) ? 512 : 1024);
      const auto kind = static_cast<Kind>(round % 4);
      CAPTURE(name_of(dtype), elements, round);
      const Bytes left = numbers(random, dtype, elements, kind);
      Bytes right = left;
      if (kind == Kind::neighbours || kind == Kind::zeros) {
        nudge(random, dtype, right);
      } else {
        right = numbers(random, dtype, elements, kind);
      }
      for (const Rule& rule : rules) check_block(dtype, left, right, rule);
      const std::size_t numbers_in = left.size() / (size_of(dtype) / (is_complex(dtype) ? 2 : 1));
      REQUIRE(count_finite(dtype, left.data(), numbers_in) ==
              by_definition(dtype, left, left, rules[0]).finite_pairs);
    }
  }
}

TEST_CASE("kernels agree with the definition bit for bit, on every instruction set") {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    check_all_blocks();
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST_CASE("a block with an infinity, a NaN or an overflowing difference is left to the definition") {
  const Rule rule;
  BlockFacts facts;
  UlpCounters ulps;
  const auto taken = [&](const Tensor& left, const Tensor& right) {
    return compare_block(left.dtype, left.storage.data(), right.storage.data(), left.view().size(), rule,
                         facts, ulps);
  };
  const float inf = HUGE_VALF, nan = std::nanf("");
  CHECK(taken(floats({1, 2, 3}), floats({1, 2, 4})));
  CHECK_FALSE(taken(floats({1, inf, 3}), floats({1, 2, 4})));
  CHECK_FALSE(taken(floats({1, 2, 3}), floats({nan, 2, 4})));
  CHECK_FALSE(taken(doubles({1.5e308, 1}), doubles({-1.5e308, 1})));
  CHECK(facts.different == 1);  // nothing of what was refused was counted
}

// A large tensor with all kinds of numbers, so that stretches, threads and both paths meet.
TEST_CASE("threads change no bit of the statistics") {
  std::mt19937_64 random(11);
  for (const DType dtype : {DType::float32, DType::bfloat16, DType::int16, DType::complex64}) {
    CAPTURE(name_of(dtype));
    const std::size_t elements = (std::size_t{3} << 20) + 4567;
    Tensor left(dtype, {static_cast<std::int64_t>(elements)}), right = left;
    left.storage = numbers(random, dtype, elements, Kind::ordinary);
    right.storage = left.storage;
    for (int i = 0; i < 20000; ++i) right.storage[random() % (right.storage.size() / 2)] ^= std::byte{4};
    const TensorDiff one = diff_tensors("t", left.view(), right.view(), {.threads = 1});
    const TensorDiff four = diff_tensors("t", left.view(), right.view(), {.threads = 4});
    REQUIRE(one.different > 0);
    CHECK(one.different == four.different);
    CHECK(one.first_different() == four.first_different());
    CHECK(one.ulp_histogram() == four.ulp_histogram());
    CHECK(same_bits(one.mean_abs().value(), four.mean_abs().value()));
    CHECK(same_bits(one.rms().value(), four.rms().value()));
    CHECK(same_bits(one.max_relative().value(), four.max_relative().value()));
    // By the definition, stretch after stretch, block after block.
    PairStatistics whole;
    const std::size_t parts = is_complex(dtype) ? 2 : 1, number = size_of(dtype) / parts;
    const std::size_t block = block_numbers * number, stretch = stretch_blocks * block;
    for (std::size_t begin = 0; begin < left.storage.size(); begin += stretch) {
      PairStatistics part;
      for (std::size_t at = begin; at < std::min(left.storage.size(), begin + stretch); at += block) {
        const std::size_t size = std::min(block, left.storage.size() - at);
        with_format(dtype, [&](auto format) {
          ScalarPairs<decltype(format)>(Rule{}, part, at / number)
              .compare(ByteView(left.storage).subspan(at, size), ByteView(right.storage).subspan(at, size),
                       at / number);
        });
      }
      whole.append(part);
    }
    CHECK(one.different == whole.different);
    CHECK(one.first_different() == whole.first_different);
    CHECK(same_bits(one.mean_abs().value(), whole.sum_abs / static_cast<double>(whole.finite_pairs)));
    CHECK(one.max_abs() == whole.max_abs);
    CHECK(one.magnitudes().last_bit == whole.last_bit);
    CHECK(one.magnitudes().small == whole.small);
    CHECK(one.nan_mismatches() == whole.nan_mismatches);
    CHECK(one.sign_of_zero_mismatches() == whole.sign_of_zero_mismatches);
  }
}

}  // namespace

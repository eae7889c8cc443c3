#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "repro/snapshot/fingerprint.h"
#include "repro/snapshot/fingerprint_kernel.h"

// Random trials of the changes that training runs really show. A fingerprint that misses one of them says
// "identical" where there is a difference, the worst fault of all.

namespace {

using namespace repro;
namespace kernel = repro::fingerprint_kernel;

constexpr std::size_t count = 256;  // values of the tensor under trial: 128 words
constexpr std::uint32_t sign_bit = 0x80000000U;

class Random {  // xorshift64*, far from the mixing function of fingerprints
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DU;
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>((next() >> 32) * bound >> 32); }

 private:
  std::uint64_t state_;
};

using Values = std::span<std::uint32_t>;

// Random floats, zeros, ones, or small integers.
void fill(Values values, Random& random, std::size_t kind) {
  for (std::uint32_t& value : values) {
    const auto bits = static_cast<std::uint32_t>(random.next() >> 32);
    const auto weight = static_cast<float>(static_cast<double>(bits) / 4294967296.0 - 0.5);
    value = kind == 0   ? std::bit_cast<std::uint32_t>(weight)
            : kind == 1 ? 0U
            : kind == 2 ? std::bit_cast<std::uint32_t>(1.0F)
                        : std::bit_cast<std::uint32_t>(static_cast<float>(bits % 8));
  }
}

void change_ulps(Values values, Random& random, std::size_t changes) {
  const std::size_t first = random.below(count), stride = 1 + 2 * random.below(count / 2);
  for (std::size_t i = 0; i < changes; ++i) {
    std::uint32_t& value = values[(first + i * stride) % count];
    value = value % 2 == 0 || random.below(2) == 0 ? value + 1 : value - 1;
  }
}
void flip_signs(Values values, Random& random, std::size_t changes) {
  const std::size_t first = random.below(count), stride = 1 + random.below(16);
  for (std::size_t i = 0; i < changes; ++i) values[(first + i * stride) % count] ^= sign_bit;
}
void flip_random_signs(Values values, Random& random, std::size_t changes) {
  for (std::size_t i = 0; i < changes; ++i) values[random.below(count)] ^= sign_bit;
}
void flip_sign_pairs(Values values, Random& random, std::size_t changes) {  // both halves of words
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t word = random.below(count / 2);
    values[2 * word] ^= sign_bit;
    values[2 * word + 1] ^= sign_bit;
  }
}
void swap_values(Values values, Random& random, std::size_t changes) {
  for (std::size_t i = 0; i < changes; ++i) {
    std::swap(values[random.below(count)], values[random.below(count)]);
  }
}
void swap_words(Values values, Random& random, std::size_t changes) {
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t a = 2 * random.below(count / 2), b = 2 * random.below(count / 2);
    std::swap(values[a], values[b]);
    std::swap(values[a + 1], values[b + 1]);
  }
}
void shift(Values values, Random& random, std::size_t) {
  std::rotate(values.begin(), values.begin() + 1, values.begin() + 2 + random.below(count - 2));
}
void move_ulps(Values values, Random& random, std::size_t changes) {  // one up, another one down
  for (std::size_t i = 0; i < changes; ++i) {
    const auto step = static_cast<std::uint32_t>(1 + random.below(4));
    values[random.below(count)] += step;
    values[random.below(count)] -= step;
  }
}
void scale_exponents(Values values, Random& random, std::size_t changes) {  // times two
  const std::size_t first = random.below(count);
  for (std::size_t i = 0; i < changes; ++i) values[(first + i) % count] += 0x00800000U;
}

struct Trial {
  const char* name;
  void (*change)(Values, Random&, std::size_t);
  std::size_t changes;
};
constexpr Trial trials[] = {
    {"1 ULP in 2 values", change_ulps, 2},
    {"1 ULP in 4 values", change_ulps, 4},
    {"1 ULP in 8 values", change_ulps, 8},
    {"1 ULP in 64 values", change_ulps, 64},
    {"2 signs, equal spacing", flip_signs, 2},
    {"4 signs, equal spacing", flip_signs, 4},
    {"8 signs, equal spacing", flip_signs, 8},
    {"2 signs", flip_random_signs, 2},
    {"4 signs", flip_random_signs, 4},
    {"8 signs", flip_random_signs, 8},
    {"both signs of 2 words", flip_sign_pairs, 2},
    {"both signs of 4 words", flip_sign_pairs, 4},
    {"a swap of values", swap_values, 1},
    {"4 swaps of values", swap_values, 4},
    {"a swap of words", swap_words, 1},
    {"a shift by one element", shift, 1},
    {"1 up, 1 down", move_ulps, 1},
    {"4 up, 4 down", move_ulps, 4},
    {"2 values doubled", scale_exponents, 2},
    {"8 values doubled", scale_exponents, 8},
};

bool is_missed(const Tensor& before, const Tensor& after) {
  return before.storage != after.storage && fingerprint(before.view()) == fingerprint(after.view());
}

struct Result {
  std::uint64_t changed = 0, missed = 0;
};
Result run(const Trial& trial, std::uint64_t repetitions, std::uint64_t seed) {
  Random random(seed);
  Tensor before(DType::float32, {count}), after(DType::float32, {count});
  Fingerprint expected = 0;
  Result result;
  for (std::uint64_t i = 0; i < repetitions; ++i) {
    if (i % 256 == 0) {
      fill(before.values<std::uint32_t>(), random, i / 256 % 4);
      expected = fingerprint(before.view());
    }
    after.storage = before.storage;
    trial.change(after.values<std::uint32_t>(), random, trial.changes);
    if (after.storage == before.storage) continue;  // a swap of equals
    ++result.changed;
    if (fingerprint(after.view()) == expected) ++result.missed;
  }
  return result;
}

void run_all(std::uint64_t repetitions) {
  std::uint64_t changed = 0, seed = 1;
  for (const Trial& trial : trials) {
    const Result result = run(trial, repetitions, seed++);
    CAPTURE(trial.name, result.changed);
    CHECK(result.missed == 0);
    CHECK(result.changed > repetitions / 4);
    changed += result.changed;
  }
  CHECK(changed > repetitions * 15);
}

TEST_CASE("fingerprints miss none of millions of small changes") { run_all(150'000); }
TEST_CASE("fingerprints miss none of 160 million small changes", "[.long]") { run_all(8'000'000); }

// Far stronger than trials of that kind: when a change is made in two words, it is missed if the
// two differences of the mixing function cancel. So among the differences that one change makes in n words
// no two may be equal or opposite; this tries n^2 / 2 pairs at once.
std::size_t cancelling_pairs(std::uint64_t (*mix)(std::uint64_t), std::uint64_t flips, std::uint64_t addend,
                             bool zeros, std::size_t words) {
  Random random(flips + addend);
  std::vector<std::uint64_t> differences(words);
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t word = zeros ? 0 : random.next();
    const std::uint64_t key = (i + 1) * kernel::position_step;
    const std::uint64_t difference = mix(((word ^ flips) + addend) ^ key) - mix(word ^ key);
    differences[i] = std::min(difference, 0 - difference);
  }
  std::sort(differences.begin(), differences.end());
  std::size_t equal = 0;
  for (std::size_t i = 1; i < words; ++i) equal += differences[i] == differences[i - 1] ? 1 : 0;
  return equal;
}

// What the fingerprint could have been: good by the usual tests of hash functions, and yet flipping both
// signs of a pair of floats makes few different differences.
std::uint64_t weak_mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= kernel::multiplier;
  x ^= x >> 32;
  x *= kernel::multiplier;
  return x ^ (x >> 32);
}

TEST_CASE("equal changes in two words of a tensor do not cancel") {
  constexpr std::size_t words = std::size_t{1} << 17;  // 2^33 pairs for each change
  constexpr std::uint64_t both_signs = 0x8000000080000000U;
  constexpr std::uint64_t flips_tried[] = {
      both_signs,          0x8000000000000000U, 0x80000000U, 0x8000800080008000U,
      0x8080808080808080U, 0x100000000U,        0x1U,        0x100000000000U};
  constexpr std::uint64_t addends_tried[] = {
      0x1U, 0x100000000U, 0x100000001U, 0x0001000100010001U, 0x0080000000800000U, 0x0010000000000000U};
  CHECK(cancelling_pairs(weak_mix, both_signs, 0, false, words) > 100);
  for (const bool zeros : {false, true}) {
    for (const std::uint64_t flips : flips_tried) {
      CHECK(cancelling_pairs(kernel::mix, flips, 0, zeros, words) == 0);
    }
    for (const std::uint64_t addend : addends_tried) {
      CHECK(cancelling_pairs(kernel::mix, 0, addend, zeros, words) == 0);
    }
  }
}

TEST_CASE("a miss would be seen") {
  Tensor before(DType::float32, {count});
  Tensor after = before;
  CHECK_FALSE(is_missed(before, after));  // equal tensors with equal fingerprints are no miss
  const Trial nothing = {"nothing", [](Values, Random&, std::size_t) {}, 0};
  CHECK(run(nothing, 10, 1).changed == 0);
  // Under the weak function above, flipping both signs in two words is missed within a few million pairs.
  CHECK(cancelling_pairs([](std::uint64_t x) { return x * kernel::multiplier; }, 0, 1, true, 1000) > 0);
}

}  // namespace

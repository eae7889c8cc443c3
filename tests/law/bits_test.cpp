#include <catch2/catch_test_macros.hpp>

#include "repro/base/random.h"
#include "repro/compare/diff.h"

// Laws that hold for every element type and all bits, NaN payloads included: a comparison with itself is
// empty, and no flipped bit is ever "equal".

namespace {

using namespace repro;

constexpr int first_dtype = 1, last_dtype = 21;
constexpr const char* rules[] = {"bitwise", "value", "ulp=0", "ulp=1000", "tolerance=0,0", "tolerance=1,1"};

// Random bytes; every second element has the upper half of its bits set or cleared, so that NaN,
// infinities, zeros and subnormals occur in all formats.
Tensor random_tensor(DType dtype, std::int64_t count) {
  Tensor tensor(dtype, {count});
  RandomStream random(7, name_of(dtype));
  const std::size_t size = size_of(dtype);
  for (std::size_t i = 0; i < tensor.storage.size(); ++i) {
    const std::uint32_t bits = random.next();
    const bool special = i / size % 2 == 0 && (i % size >= size / 2);
    const std::byte extreme = (bits & 2) != 0 ? std::byte{0xFF} : std::byte{0x80} & std::byte(bits << 7);
    tensor.storage[i] = special ? extreme : static_cast<std::byte>(bits >> 8);
  }
  return tensor;
}

TensorDiff diff(const Tensor& reference, const Tensor& candidate, const char* rule = "bitwise") {
  return diff_tensors("t", reference.view(), candidate.view(), {.rule = parse_rule(rule)});
}

std::size_t pairs_that_differ(const Tensor& reference, const Tensor& candidate) {
  std::size_t count = 0;
  visit_pairs(reference.view(), candidate.view(), true, [&](const ValuePair&) { ++count; });
  return count;
}

// Whether a comparison says in every way that it can that the two differ, in one element.
bool differs_in_one(const Tensor& reference, const Tensor& candidate, std::uint64_t element) {
  const TensorDiff result = diff(reference, candidate);
  return result.kind != DifferenceKind::equal && result.within_rule == false && result.different == 1 &&
         result.first_different() == element && pairs_that_differ(reference, candidate) == 1;
}

TEST_CASE("the law's helper says no for equal tensors") {
  const Tensor tensor = random_tensor(DType::float32, 10);
  CHECK_FALSE(differs_in_one(tensor, tensor, 0));
  Tensor two = tensor;
  two.storage[0] ^= std::byte{1};
  CHECK(differs_in_one(tensor, two, 0));
  CHECK_FALSE(differs_in_one(tensor, two, 1));
  two.storage[39] ^= std::byte{1};
  CHECK_FALSE(differs_in_one(tensor, two, 0));
}

TEST_CASE("a tensor does not differ from itself, of any dtype and under any rule") {
  for (int number = first_dtype; number <= last_dtype; ++number) {
    const Tensor tensor = random_tensor(static_cast<DType>(number), 3001);
    const Tensor copy = tensor;
    CAPTURE(name_of(tensor.dtype));
    for (const char* rule : rules) {
      const TensorDiff result = diff(tensor, copy, rule);
      CHECK(result.kind == DifferenceKind::equal);
      CHECK(result.within_rule == true);
      CHECK(result.values == 3001);
      CHECK(result.different == 0);
      CHECK_FALSE(result.first_different());
      CHECK(result.max_abs().value_or(0) == 0);
      CHECK(result.rms().value_or(0) == 0);
      CHECK(result.max_ulp().value_or(0) == 0);
      CHECK(result.nan_mismatches() + result.sign_of_zero_mismatches() == 0);
    }
    CHECK(pairs_that_differ(tensor, copy) == 0);
  }
}

TEST_CASE("no flipped bit of any element of any dtype is equal") {
  for (int number = first_dtype; number <= last_dtype; ++number) {
    const Tensor tensor = random_tensor(static_cast<DType>(number), 67);
    CAPTURE(name_of(tensor.dtype));
    Tensor flipped = tensor;
    for (std::size_t bit = 0; bit < tensor.storage.size() * 8; ++bit) {
      flipped.storage[bit / 8] ^= std::byte{1} << (bit % 8);
      const std::uint64_t element = bit / 8 / size_of(tensor.dtype);
      REQUIRE(differs_in_one(tensor, flipped, element));
      REQUIRE(differs_in_one(flipped, tensor, element));
      flipped.storage[bit / 8] = tensor.storage[bit / 8];
    }
  }
}

TEST_CASE("comparisons are symmetric but for the sign of the difference") {
  for (int number = first_dtype; number <= last_dtype; ++number) {
    const auto dtype = static_cast<DType>(number);
    const Tensor left = random_tensor(dtype, 2000);
    Tensor right = left;
    RandomStream random(8, "changes");
    for (int i = 0; i < 500; ++i) {
      right.storage[random.below(static_cast<std::uint32_t>(right.storage.size()))] ^=
          static_cast<std::byte>(random.next() >> 24);
    }
    CAPTURE(name_of(dtype));
    const TensorDiff there = diff(left, right), back = diff(right, left);
    CHECK(there.kind == back.kind);
    CHECK(there.different == back.different);
    CHECK(there.first_different() == back.first_different());
    CHECK(there.max_abs() == back.max_abs());
    CHECK(there.mean_abs() == back.mean_abs());
    CHECK(there.rms() == back.rms());
    CHECK(there.max_relative() == back.max_relative());
    CHECK(there.max_ulp() == back.max_ulp());
    CHECK(there.ulp_histogram() == back.ulp_histogram());
    CHECK(there.nan_mismatches() == back.nan_mismatches());
    CHECK(there.sign_of_zero_mismatches() == back.sign_of_zero_mismatches());
    CHECK(there.max_relative().value_or(0) <= 2);
    CHECK(pairs_that_differ(left, right) == there.different);
  }
}

}  // namespace

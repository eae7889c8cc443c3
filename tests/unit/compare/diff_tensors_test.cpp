#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "repro/base/sha256.h"
#include "repro/compare/diff.h"
#include "tensors.h"

namespace {

using namespace repro;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr double huge = std::numeric_limits<double>::max();

TensorDiff diff(const Tensor& reference, const Tensor& candidate) {
  return diff_tensors("t", reference.view(), candidate.view(), {});
}
Tensor float_bits(std::vector<std::uint32_t> bits) { return tensor_of(DType::float32, std::move(bits)); }

TEST_CASE("kinds: the first that applies") {
  using K = DifferenceKind;
  const std::uint32_t one = 0x3F800000, two = 0x40000000, zero = 0, minus_zero = 0x80000000, nan = 0x7FC00000,
                      other_nan = 0xFFC00001, inf = 0x7F800000;
  const struct {
    std::vector<std::uint32_t> left, right;
    K kind;
  } cases[] = {
      {{one, nan, inf}, {one, nan, inf}, K::equal},
      {{}, {}, K::equal},
      {{one}, {two}, K::value},
      {{one, nan, zero}, {two, other_nan, minus_zero}, K::value},
      {{inf}, {one}, K::value},
      {{inf}, {inf | 0x80000000}, K::value},
      {{nan, zero}, {other_nan, minus_zero}, K::nan_pattern},
      {{nan}, {one}, K::nan_pattern},
      {{zero}, {nan}, K::nan_pattern},
      {{zero, one}, {minus_zero, one}, K::signed_zero},
      {{one}, {one, one}, K::shape},
  };
  for (const auto& c : cases) {
    CAPTURE(name_of(c.kind));
    CHECK(diff(float_bits(c.left), float_bits(c.right)).kind == c.kind);
    CHECK(diff(float_bits(c.right), float_bits(c.left)).kind == c.kind);
  }
}

TEST_CASE("formats of 8 bits have the NaN and zeros that they have") {
  using K = DifferenceKind;
  const struct {
    DType dtype;
    std::uint8_t left, right;
    K kind;
  } cases[] = {
      {DType::float8_e4m3fn, 0x00, 0x80, K::signed_zero},
      {DType::float8_e4m3fn, 0x7F, 0xFF, K::nan_pattern},
      {DType::float8_e4m3fn, 0x7E, 0x7F, K::nan_pattern},
      {DType::float8_e5m2, 0x00, 0x80, K::signed_zero},
      {DType::float8_e5m2, 0x7C, 0x7D, K::nan_pattern},
      {DType::float8_e5m2, 0x7C, 0x7B, K::value},
      {DType::float8_e4m3fnuz, 0x00, 0x80, K::nan_pattern},  // no negative zero
      {DType::float8_e4m3fnuz, 0x7F, 0xFF, K::value},
      {DType::float8_e5m2fnuz, 0x00, 0x80, K::nan_pattern},
      {DType::float8_e8m0fnu, 0x00, 0x80, K::value},  // no zero, no sign
      {DType::float8_e8m0fnu, 0xFE, 0xFF, K::nan_pattern},
  };
  for (const auto& c : cases) {
    CAPTURE(name_of(c.dtype), c.left, c.right);
    const auto tensor = [&](std::uint8_t bits) { return tensor_of<std::uint8_t>(c.dtype, {bits}); };
    CHECK(diff(tensor(c.left), tensor(c.right)).kind == c.kind);
    CHECK(diff(tensor(c.right), tensor(c.left)).kind == c.kind);
  }
}

TEST_CASE("dtype comes before shape, and neither compares a value") {
  const Tensor left = floats({1, 2}), right = tensor_of<std::int32_t>(DType::int32, {1});
  const TensorDiff result = diff(left, right);
  CHECK(result.kind == DifferenceKind::dtype);
  CHECK(result.within_rule == false);
  CHECK(result.values == 0);
  CHECK(result.dtype == DType::float32);
  CHECK(result.candidate_dtype == DType::int32);
  CHECK(result.candidate_shape == Shape{1});
  CHECK_FALSE(result.max_abs());
  CHECK_FALSE(result.max_ulp());

  Tensor column = floats({1, 2});
  column.shape = {2, 1};
  CHECK(diff(floats({1, 2}), column).kind == DifferenceKind::shape);
}

TEST_CASE("statistics run over the pairs that are finite on both sides") {
  const float nan = std::nanf("");
  const TensorDiff result =
      diff(floats({1, 2, nan, infinity, 0.0F, -4, 5, nan}), floats({1, 2.5F, 1, 3, -0.0F, 4, 5, nan}));
  CHECK(result.kind == DifferenceKind::value);
  CHECK(result.values == 8);
  CHECK(result.different == 5);
  CHECK(result.first_different() == 1U);
  CHECK(result.nan_mismatches() == 1);
  CHECK(result.sign_of_zero_mismatches() == 1);
  // Finite on both sides: 1, 2 against 2.5, 0 against -0, -4 against 4, 5.
  CHECK(result.max_abs() == 8.0);
  CHECK(result.mean_abs() == 8.5 / 5);
  CHECK(result.rms() == std::sqrt((0.25 + 64) / 5));
  CHECK(result.max_relative() == 2.0);
  CHECK(result.max_ulp() == 2U * 0x40800000U);
  CHECK(result.ulp_histogram()[21] == 1);  // 2 and 2.5 are 2^21 steps apart
  CHECK(result.ulp_histogram()[31] == 1);
}

TEST_CASE("a statistic over no pair is absent") {
  const TensorDiff empty = diff(floats({}), floats({}));
  CHECK(empty.kind == DifferenceKind::equal);
  CHECK(empty.within_rule == true);
  CHECK(empty.values == 0);
  CHECK_FALSE(
      (empty.max_abs() || empty.mean_abs() || empty.rms() || empty.max_relative() || empty.max_ulp()));
  const TensorDiff none = diff(floats({std::nanf(""), infinity}), floats({1, infinity}));
  CHECK_FALSE((none.max_abs() || none.mean_abs() || none.rms() || none.max_relative() || none.max_ulp()));
  const TensorDiff equal = diff(floats({1}), floats({1}));
  CHECK((equal.max_abs() == 0.0 && equal.mean_abs() == 0.0 && equal.rms() == 0.0));
  CHECK((equal.max_relative() == 0.0 && equal.max_ulp() == 0U));
}

TEST_CASE("differences beyond the range of double are infinite, ratios are not") {
  const TensorDiff result = diff(doubles({huge, 1}), doubles({-huge, 1}));
  CHECK(std::isinf(*result.max_abs()));
  CHECK(std::isinf(*result.mean_abs()));
  CHECK(std::isinf(*result.rms()));
  CHECK(result.max_relative() == 2.0);
  CHECK(result.max_ulp() == 2U * 0x7FEFFFFFFFFFFFFFU);
}

TEST_CASE("integers have exact differences and no ULP distances") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  TensorDiff result = diff(tensor_of<std::int64_t>(DType::int64, {least, (1LL << 60) + 1}),
                           tensor_of<std::int64_t>(DType::int64, {most, 1LL << 60}));
  CHECK(result.kind == DifferenceKind::value);
  CHECK(result.max_abs() == 0x1p64);
  CHECK(result.mean_abs() == 0x1p63);
  CHECK(result.max_relative() == 2.0);
  CHECK_FALSE(result.max_ulp());
  result = diff(tensor_of<std::int64_t>(DType::int64, {(1LL << 60) + 1}),
                tensor_of<std::int64_t>(DType::int64, {1LL << 60}));
  CHECK(result.max_abs() == 1.0);
  result =
      diff(tensor_of<std::uint8_t>(DType::uint8, {0, 255}), tensor_of<std::uint8_t>(DType::uint8, {255, 0}));
  CHECK(result.max_abs() == 255.0);
  CHECK(result.max_relative() == 1.0);
  result = diff(tensor_of<std::int8_t>(DType::int8, {-128}), tensor_of<std::int8_t>(DType::int8, {127}));
  CHECK(result.max_abs() == 255.0);
}

TEST_CASE("booleans have no statistics, and every byte is a value of its own") {
  const TensorDiff result = diff(tensor_of<std::uint8_t>(DType::boolean, {0, 1, 1}),
                                 tensor_of<std::uint8_t>(DType::boolean, {0, 1, 2}));
  CHECK(result.kind == DifferenceKind::value);
  CHECK(result.different == 1);
  CHECK_FALSE((result.max_abs() || result.mean_abs() || result.rms() || result.max_relative()));
  CHECK_FALSE(result.max_ulp());
}

TEST_CASE("complex numbers count as two reals, elements as one") {
  Tensor left(DType::complex64, {3}), right = left;
  const auto set = [](Tensor& tensor, std::size_t number, float value) {
    std::memcpy(tensor.storage.data() + number * sizeof(float), &value, sizeof(float));
  };
  set(left, 2, 1.0F);  // the second element's real part
  set(right, 2, 3.0F);
  set(right, 3, 1.0F);  // and its imaginary part
  set(right, 5, -0.0F);
  const TensorDiff result = diff(left, right);
  CHECK(result.values == 3);
  CHECK(result.different == 2);
  CHECK(result.first_different() == 1U);
  CHECK(result.mean_abs() == 3.0 / 6);
  CHECK(result.sign_of_zero_mismatches() == 1);
  CHECK(result.max_ulp() == 0x3F800000U);
}

TEST_CASE("differences are found in any block, at any alignment") {
  constexpr std::size_t count = 5000;
  std::vector<std::byte> left_bytes(count * 4 + 1), right_bytes(count * 4 + 1);
  const auto view = [](std::vector<std::byte>& bytes) {
    return TensorView{DType::float32, {count}, ByteView(bytes).subspan(1)};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(i + 1);
    std::memcpy(left_bytes.data() + 1 + i * 4, &value, 4);
  }
  for (const std::size_t at : {std::size_t{0}, std::size_t{1023}, std::size_t{1024}, count - 1}) {
    right_bytes = left_bytes;
    right_bytes[1 + at * 4] ^= std::byte{1};
    const TensorDiff result = diff_tensors("t", view(left_bytes), view(right_bytes), {});
    CHECK(result.kind == DifferenceKind::value);
    CHECK(result.different == 1);
    CHECK(result.first_different() == at);
    CHECK(result.max_ulp() == 1U);
    CHECK(*result.mean_abs() == *result.max_abs() / count);  // equal blocks count as pairs
  }
}

TEST_CASE("sums are added in the documented order") {
  constexpr std::size_t count = 2500;
  std::vector<double> left(count), right(count);
  for (std::size_t i = 0; i < count; ++i) {
    left[i] = std::ldexp(1.0 + static_cast<double>(i * 7919 % 1000) / 999, static_cast<int>(i % 40));
    right[i] = i % 3 == 0 ? left[i] : left[i] * 1.1;
  }
  double sum = 0, naive = 0;
  for (std::size_t block = 0; block < count; block += 1024) {
    double lanes[8] = {};
    for (std::size_t i = block; i < std::min(count, block + 1024); ++i) {
      lanes[(i - block) % 8] += std::fabs(left[i] - right[i]);
      naive += std::fabs(left[i] - right[i]);
    }
    sum += ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
  const TensorDiff result = diff(doubles(left), doubles(right));
  CHECK(result.mean_abs() == sum / count);
  CHECK(sum != naive);  // or the test would not see another order
  CHECK(naive == Catch::Approx(sum));
}

TEST_CASE("hashes are those of the row-major bytes") {
  const Tensor left = floats({1, 2}), right = floats({1, 3});
  const TensorDiff result = diff_tensors("t", left.view(), right.view(), {.with_hashes = true});
  CHECK(result.reference_sha256 == sha256_hex(left.storage));
  CHECK(result.candidate_sha256 == sha256_hex(right.storage));
  CHECK(diff(left, right).reference_sha256.empty());
}

}  // namespace

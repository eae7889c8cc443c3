#include "repro/snapshot/fingerprint.h"

#include <hwy/targets.h>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "repro/base/files.h"
#include "repro/snapshot/fingerprint_kernel.h"
#include "repro/snapshot/fingerprint_sum.h"

namespace {

using namespace repro;
namespace kernel = repro::fingerprint_kernel;

Tensor floats(Shape shape, std::vector<float> values) {
  Tensor tensor(DType::float32, std::move(shape));
  std::copy(values.begin(), values.end(), tensor.values<float>().begin());
  return tensor;
}

Tensor bytes_0_to(std::int64_t count) {
  Tensor tensor(DType::uint8, {count});
  std::iota(tensor.values<std::uint8_t>().begin(), tensor.values<std::uint8_t>().end(), std::uint8_t{0});
  return tensor;
}

// The values that docs/formats.md publishes; another implementation computed them as well.
struct Golden {
  const char* hex;
  Fingerprint value;
};
std::vector<Golden> golden_values() {
  const std::vector<NamedFingerprint> group = {{"conv1.weight", 1}, {"conv1.bias", 2}};
  return {
      {"8321ffe00fbe2c89", fingerprint(Tensor(DType::float32, {0}).view())},
      {"b6d0272a47d06de3", fingerprint(floats({}, {1}).view())},
      {"356e1cfe166a882b", fingerprint(floats({3}, {1, 2, 3}).view())},
      {"e9155f81e94fb404", fingerprint(floats({2, 2}, {1, -2, 0.5F, -0.0F}).view())},
      {"571a00751d71e8fc", fingerprint(bytes_0_to(19).view())},
      {"bf20b86ddbd1c371", group_fingerprint({})},
      {"3028170473de2c9e", group_fingerprint(group)},
  };
}

TEST_CASE("fingerprints are the published ones") {
  const std::string documentation =
      read_text_file(std::filesystem::path(REPRO_SOURCE_DIR) / "docs/formats.md");
  for (const Golden& golden : golden_values()) {
    CHECK(hex_of(golden.value) == golden.hex);
    CHECK(documentation.find(golden.hex) != std::string::npos);
  }
}

TEST_CASE("fingerprints cover dtype and shape, also of empty tensors") {
  const Bytes zeros(64);
  std::vector<Fingerprint> values;
  const auto add = [&](DType dtype, Shape shape) {
    const std::size_t size = element_count(shape) * size_of(dtype);
    values.push_back(fingerprint(TensorView{dtype, shape, ByteView(zeros).first(size)}));
  };
  for (const Shape& shape : {Shape{0}, Shape{0, 1}, Shape{1, 0}, Shape{0, 0}, Shape{0, 2}, Shape{4},
                             Shape{4, 1}, Shape{1, 4}, Shape{2, 2}, Shape{}, Shape{1}, Shape{1, 1}}) {
    for (const DType dtype : {DType::float32, DType::int32, DType::uint32}) add(dtype, shape);
  }
  add(DType::uint8, {16});
  add(DType::int64, {2});
  std::sort(values.begin(), values.end());
  CHECK(std::adjacent_find(values.begin(), values.end()) == values.end());
}

TEST_CASE("fingerprints do not depend on the order of evaluation") {
  Tensor tensor(DType::float64, {37});
  double value = 0.1;
  for (double& number : tensor.values<double>()) number = value *= -1.7;
  const std::uint64_t salt = kernel::salt(static_cast<std::uint64_t>(tensor.dtype), tensor.shape.data(), 1);
  for (const std::size_t stride : {1U, 2U, 5U, 36U}) {  // all prime to 37: every word once
    std::uint64_t sum = salt;
    for (std::size_t n = 0; n < 37; ++n) {
      const std::size_t i = (n + 1) * stride % 37;
      sum += kernel::term(salt, i, load<std::uint64_t>(tensor.storage, i * 8));
    }
    CHECK(sum == fingerprint(tensor.view()));
  }
}

// The sum as docs/formats.md defines it, word by word.
std::uint64_t sum_by_definition(std::uint64_t salt, std::uint64_t first, ByteView words) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < words.size() / 8; ++i) {
    sum += kernel::term(salt, first + i, load<std::uint64_t>(words, i * 8));
  }
  return sum;
}

TEST_CASE("vectorised sums are the defined ones, on every instruction set, at every length and alignment") {
  Bytes bytes(8 * 70 + 8);
  std::uint64_t state = 1;
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>((state = state * 6364136223846793005U + 1) >> 56);
  std::size_t targets = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    ++targets;
    for (std::size_t count = 0; count <= 70; ++count) {
      const ByteView words = ByteView(bytes).subspan(count % 8, count * 8);
      const std::uint64_t first = count * 1000003, salt = state * count;
      REQUIRE(sum_of_terms(salt, first, words.data(), count) == sum_by_definition(salt, first, words));
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  CHECK(targets >= 1);
}

TEST_CASE("threads and strides change no fingerprint") {
  Tensor large(DType::int16, {5, 1000, 1001});  // 10 MB, no whole number of words
  std::uint16_t next = 0;
  for (std::int16_t& value : large.values<std::int16_t>()) value = static_cast<std::int16_t>(next += 40503);
  const Fingerprint expected = fingerprint(large.view());
  CHECK(fingerprint(large.view(), 4) == expected);
  StoredTensor transposed(large.view());  // as 1001 x 1000 x 5 in the other order
  transposed.shape = {1001, 1000, 5};
  transposed.strides = {1, 1001, 1001 * 1000};
  const Tensor copy = materialise(transposed);
  CHECK(fingerprint(transposed, 3) == fingerprint(copy.view()));
  CHECK(fingerprint(transposed) != expected);
}

TEST_CASE("fingerprints find every flip of one bit at every length of the tail") {
  for (std::int64_t count = 1; count <= 41; ++count) {
    Tensor tensor = bytes_0_to(count);
    const Fingerprint before = fingerprint(tensor.view());
    for (std::size_t bit = 0; bit < tensor.storage.size() * 8; ++bit) {
      tensor.storage[bit / 8] ^= std::byte{1} << (bit % 8);
      REQUIRE(fingerprint(tensor.view()) != before);
      tensor.storage[bit / 8] ^= std::byte{1} << (bit % 8);
    }
    REQUIRE(fingerprint(tensor.view()) == before);
  }
}

// Inverts `mix`: proof by example that it is a bijection, so that no change within a word is ever missed.
std::uint32_t inverse_low(std::uint32_t product, std::uint32_t factor) {
  std::uint32_t low = 0;
  for (int bit = 0; bit < 32; ++bit) {
    low |= (product ^ (low * factor) ^ low) & (std::uint32_t{1} << bit);
  }
  return low;
}
std::uint64_t inverse_multiply_low(std::uint64_t x, std::uint32_t factor) {
  const std::uint64_t low = inverse_low(static_cast<std::uint32_t>(x), factor);
  return x ^ (low * factor);
}
std::uint64_t inverse_mix(std::uint64_t x) {
  std::uint64_t inverse = 1;  // of the multiplier modulo 2^64, by Newton's iteration
  for (int i = 0; i < 6; ++i) inverse *= 2 - kernel::multiplier * inverse;
  x = inverse_multiply_low(x, kernel::round_3);
  x = inverse_multiply_low(kernel::swap_halves(x), kernel::round_2);
  x *= inverse;
  return inverse_multiply_low(kernel::swap_halves(x), kernel::round_1);
}

TEST_CASE("the mixing function of fingerprints is a bijection") {
  std::uint64_t x = 0;
  for (int i = 0; i < 100000; ++i) {
    REQUIRE(inverse_mix(kernel::mix(x)) == x);
    x = x * 6364136223846793005U + 1442695040888963407U;
  }
  for (int bit = 0; bit < 64; ++bit) {
    x = std::uint64_t{1} << bit;
    REQUIRE(inverse_mix(kernel::mix(x)) == x);
  }
}

TEST_CASE("group fingerprints cover names, values and order") {
  const std::vector<NamedFingerprint> group = {{"a", 1}, {"b", 2}};
  const std::vector<std::vector<NamedFingerprint>> others = {{},
                                                             {{"a", 1}},
                                                             {{"b", 2}, {"a", 1}},
                                                             {{"a", 2}, {"b", 1}},
                                                             {{"b", 1}, {"a", 2}},
                                                             {{"a", 1}, {"b", 3}},
                                                             {{"a", 1}, {"c", 2}},
                                                             {{"ab", 1}, {"", 2}},
                                                             {{"a", 1}, {"b", 2}, {"", 0}}};
  CHECK(group_fingerprint(group) == group_fingerprint(std::vector<NamedFingerprint>(group)));
  for (const auto& other : others) CHECK(group_fingerprint(other) != group_fingerprint(group));
}

}  // namespace

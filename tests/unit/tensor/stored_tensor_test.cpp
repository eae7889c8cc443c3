#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "repro/tensor/stored_tensor.h"

namespace {

using namespace repro;

Tensor counting(Shape shape) {
  Tensor tensor(DType::int32, std::move(shape));
  std::iota(tensor.values<std::int32_t>().begin(), tensor.values<std::int32_t>().end(), 0);
  return tensor;
}
std::vector<std::int32_t> values(const StoredTensor& tensor) {
  const Tensor copy = materialise(tensor);
  const auto span = copy.values<std::int32_t>();
  return {span.begin(), span.end()};
}
StoredTensor strided(const Tensor& storage, Shape shape, std::vector<std::int64_t> strides,
                     std::uint64_t offset = 0) {
  StoredTensor tensor(storage.view());
  tensor.shape = std::move(shape);
  tensor.strides = std::move(strides);
  tensor.offset_bytes = offset * 4;
  return tensor;
}

TEST_CASE("strided tensors read in row-major order") {
  const Tensor six = counting({6});
  CHECK(values(strided(six, {2, 3}, {3, 1})) == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5});
  CHECK(values(strided(six, {2, 3}, {1, 2})) == std::vector<std::int32_t>{0, 2, 4, 1, 3, 5});
  CHECK(values(strided(six, {3}, {-2}, 5)) == std::vector<std::int32_t>{5, 3, 1});
  CHECK(values(strided(six, {2, 2}, {0, 1}, 4)) == std::vector<std::int32_t>{4, 5, 4, 5});
  CHECK(values(strided(six, {}, {}, 3)) == std::vector<std::int32_t>{3});
  CHECK(values(strided(six, {0, 5}, {100, 100}, 3)).empty());
  CHECK(values(strided(six, {1, 3, 1}, {77, 2, 99})) == std::vector<std::int32_t>{0, 2, 4});
}

TEST_CASE("every range of a strided tensor is the same part of the whole") {
  const Tensor storage = counting({2 * 3 * 5 * 4});
  const StoredTensor tensor = strided(storage, {3, 2, 4, 5}, {5, 60, 15, 1});
  const std::vector<std::int32_t> whole = values(tensor);
  const RowMajor reader(tensor);
  CHECK_FALSE(reader.plain());
  Bytes scratch;
  for (std::uint64_t first = 0; first < whole.size(); first += 7) {
    for (std::uint64_t count = 0; first + count <= whole.size(); count += 11) {
      const ByteView bytes = reader.read(first, count, scratch);
      REQUIRE(bytes.size() == count * 4);
      for (std::uint64_t i = 0; i < count; ++i) {
        REQUIRE(load<std::int32_t>(bytes, i * 4) == whole[first + i]);
      }
    }
  }
}

TEST_CASE("what already lies in row-major order is not copied") {
  const Tensor storage = counting({4, 6});
  const StoredTensor part = strided(storage, {2, 6}, {6, 1}, 6);
  const RowMajor reader(part);
  REQUIRE(reader.plain());
  CHECK(reader.plain()->data() == storage.storage.data() + 24);
  Bytes scratch;
  CHECK(reader.read(3, 2, scratch).data() == storage.storage.data() + 36);
  CHECK(scratch.empty());
}

TEST_CASE("big-endian numbers and flipped signs are put right") {
  Tensor big(DType::complex64, {1});
  const std::uint8_t bytes[] = {0x3F, 0x80, 0, 0, 0x40, 0, 0, 0};  // 1 + 2i, big-endian
  std::memcpy(big.storage.data(), bytes, 8);
  StoredTensor tensor(big.view());
  tensor.byte_swapped = true;
  const auto parts = [&] {
    const Tensor copy = materialise(tensor);
    return std::pair(load<float>(copy.storage, 0), load<float>(copy.storage, 4));
  };
  CHECK(parts() == std::pair(1.0F, 2.0F));
  tensor.conjugated = true;
  CHECK(parts() == std::pair(1.0F, -2.0F));
  tensor.negated = true;
  CHECK(parts() == std::pair(-1.0F, 2.0F));
  tensor.conjugated = false;
  CHECK(parts() == std::pair(-1.0F, -2.0F));
}

TEST_CASE("a tensor that reaches beyond its storage is never read") {
  const Tensor six = counting({6});
  CHECK_THROWS_AS(RowMajor(strided(six, {7}, {1})), Error);
  CHECK_THROWS_AS(RowMajor(strided(six, {2}, {-1})), Error);
  CHECK_THROWS_AS(RowMajor(strided(six, {2, 3}, {4, 1})), Error);
  CHECK_THROWS_AS(RowMajor(strided(six, {3}, {std::int64_t{1} << 62})), Error);
  CHECK_THROWS_AS(RowMajor(strided(six, {1}, {1}, 6)), Error);
  StoredTensor crooked = strided(six, {1}, {1});
  crooked.offset_bytes = 21;  // the last byte would lie outside
  CHECK_THROWS_AS(RowMajor(crooked), Error);
}

TEST_CASE("the range of elements is found, or said to overflow") {
  bool overflow = true;
  CHECK_FALSE(elements_touched(Shape{0, 3}, Shape{1, 1}, overflow));
  CHECK_FALSE(overflow);
  const auto range = elements_touched(Shape{3, 4}, Shape{-2, 5}, overflow);
  REQUIRE(range);
  CHECK(range->first == -4);
  CHECK(range->last == 15);
  CHECK_FALSE(elements_touched(Shape{3}, Shape{std::int64_t{1} << 62}, overflow));
  CHECK(overflow);
}

}  // namespace

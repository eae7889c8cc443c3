#include "repro/tensor/tensor.h"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace repro;

TEST_CASE("element counts are checked for overflow and negative sizes") {
  constexpr std::int64_t large = std::int64_t{1} << 31;
  CHECK(checked_element_count(Shape{}) == 1U);
  CHECK(checked_element_count(Shape{8, 1, 3, 3}) == 72U);
  CHECK(checked_element_count(Shape{3, 0}) == 0U);
  CHECK(checked_element_count(Shape{large, large}) == std::uint64_t{1} << 62);
  CHECK_FALSE(checked_element_count(Shape{large, large, 2}));
  CHECK_FALSE(checked_element_count(Shape{INT64_MAX, INT64_MAX, INT64_MAX}));
  CHECK_FALSE(checked_element_count(Shape{0, large, large, large}));  // whatever the order of the sizes
  CHECK_FALSE(checked_element_count(Shape{-1}));
  CHECK_FALSE(checked_element_count(Shape{0, -1}));
  CHECK_THROWS_AS(element_count(Shape{-1}), Error);
}

TEST_CASE("tensors own zeroed bytes that views see") {
  Tensor tensor(DType::float32, {2, 3});
  CHECK(tensor.storage == Bytes(24));
  tensor.values<float>()[5] = 1.5F;
  const TensorView view = tensor.view();
  CHECK(view.size() == 6);
  CHECK(view.values<float>()[5] == 1.5F);
  CHECK(view.values<std::uint32_t>()[5] == 0x3FC00000U);
  CHECK_THROWS_AS(view.values<double>(), Error);
  CHECK(Tensor(DType::complex128, {}).storage.size() == 16);
}

TEST_CASE("shapes are shown") {
  CHECK(shape_text(Shape{8, 1, 3, 3}) == "8x1x3x3");
  CHECK(shape_text(Shape{8, 1}, ";") == "8;1");
  CHECK(shape_text(Shape{}).empty());
}

}  // namespace

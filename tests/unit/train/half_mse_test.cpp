#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "repro/train/engine.h"

namespace repro {
namespace {

Tensor filled(Shape shape, std::initializer_list<float> values) {
  Tensor out(DType::float32, std::move(shape));
  std::size_t i = 0;
  for (const float value : values) out.values<float>()[i++] = value;
  return out;
}

TEST_CASE("half_mse sums over an observation and averages over observations") {
  const Tensor output = filled({2, 1, 1, 2}, {1, 2, 3, 4});
  const Tensor target = filled({2, 1, 1, 2}, {0, 0, 3, 2});
  // (1 + 4 + 0 + 4) / 2 / 2 observations
  CHECK(half_mse(output.view(), target.view()) == 2.25F);
  CHECK(half_mse(output.view(), output.view()) == 0.0F);
}

TEST_CASE("half_mse lets NaN and infinity through") {
  const Tensor target = filled({1, 2}, {0, 0});
  const Tensor nan = filled({1, 2}, {0, std::numeric_limits<float>::quiet_NaN()});
  const Tensor infinite = filled({1, 2}, {0, std::numeric_limits<float>::infinity()});
  CHECK(std::isnan(half_mse(nan.view(), target.view())));
  CHECK(std::isinf(half_mse(infinite.view(), target.view())));
}

TEST_CASE("half_mse refuses unequal sizes") {
  const Tensor two = filled({1, 2}, {0, 0});
  const Tensor one = filled({1, 1}, {0});
  CHECK_THROWS_AS(half_mse(two.view(), one.view()), Error);
}

}  // namespace
}  // namespace repro

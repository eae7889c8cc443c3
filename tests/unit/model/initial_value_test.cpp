#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "repro/base/sha256.h"
#include "repro/model/model.h"

namespace repro {
namespace {

Parameter weight(std::string name) {
  return {std::move(name), ParameterKind::weight, {16, 8, 3, 3}, 72, 144};
}

std::string hash(const Tensor& tensor) { return sha256_hex(tensor.storage); }

TEST_CASE("weights fill the interval of Glorot and Bengio") {
  const Tensor tensor = initial_value(weight("conv1.weight"), 0);
  const auto values = tensor.values<float>();
  const double bound = std::sqrt(6.0 / (72 + 144));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  CHECK(*low >= -bound);
  CHECK(*high < bound);
  CHECK(*low < -0.98 * bound);
  CHECK(*high > 0.98 * bound);
  double sum = 0;
  double squares = 0;
  for (const float v : values) {
    sum += v;
    squares += double{v} * v;
  }
  const auto count = static_cast<double>(values.size());
  CHECK(std::abs(sum / count) < 3 * bound / std::sqrt(3 * count));
  CHECK(std::abs(squares / count / (bound * bound / 3) - 1) < 0.1);
}

TEST_CASE("biases are zero") {
  const Tensor tensor = initial_value({"conv1.bias", ParameterKind::bias, {8}, 9, 72}, 0);
  for (const float v : tensor.values<float>()) CHECK((v == 0 && !std::signbit(v)));
}

TEST_CASE("values depend on name and seed, and on nothing else") {
  const std::string reference = hash(initial_value(weight("conv1.weight"), 0));
  CHECK(hash(initial_value(weight("conv1.weight"), 0)) == reference);
  CHECK(hash(initial_value(weight("conv2.weight"), 0)) != reference);
  CHECK(hash(initial_value(weight("conv1.weight"), 1)) != reference);
}

// The bytes that every machine must give; an intended change of the definition changes them.
TEST_CASE("initial weights have known bytes") {
  CHECK(hash(initial_value(weight("conv1.weight"), 0)) ==
        "1615d9fdb6bf923ab78a60b292683c436bbdcf5b15dc4a5092dc42210e209c0c");
}

}  // namespace
}  // namespace repro

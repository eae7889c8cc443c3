#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "repro/base/random.h"
#include "repro/compare/ulp.h"

// ULP distances are steps along the representable values.

namespace {

using namespace repro;

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }
std::optional<std::uint64_t> ulp(float a, float b) {
  return ulp_distance(DType::float32, bits_of(a), bits_of(b));
}
std::optional<std::uint64_t> ulp(double a, double b) {
  return ulp_distance(DType::float64, bits_of(a), bits_of(b));
}

template <class T>
std::vector<T> interesting_values(const char* stream) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      0, -T{0},  Limits::denorm_min(), -Limits::denorm_min(), Limits::min(),    -Limits::min(), 1, -1,
      2, T{0.5}, Limits::max(),        Limits::lowest(),      Limits::epsilon()};
  RandomStream random(3, stream);
  while (values.size() < 20000) {
    const auto high = std::uint64_t{random.next()} << 32;
    const std::uint64_t bits = high | random.next();
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

template <class T>
void check_laws(const char* stream) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const std::vector<T> values = interesting_values<T>(stream);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T a = values[i], b = values[values.size() - 1 - i];
    REQUIRE(ulp(a, a) == 0U);
    REQUIRE(ulp(a, b) == ulp(b, a));
    REQUIRE(ulp(a, b) == ulp(-a, -b));
    for (const T towards : {infinity, -infinity}) {
      const T next = std::nextafter(a, towards);
      if (std::isfinite(next)) REQUIRE(ulp(a, next) == 1U);
    }
    REQUIRE((ulp(a, b) == 0U) == (a == b));
    const T middle = a / 2 + b / 2;  // distances add up along the line
    if ((a < middle && middle < b) || (b < middle && middle < a)) {
      REQUIRE(*ulp(a, middle) + *ulp(middle, b) == *ulp(a, b));
    }
  }
  const T least = std::numeric_limits<T>::denorm_min();
  CHECK(ulp(T{0}, -T{0}) == 0U);
  CHECK(ulp(-least, least) == 2U);
  CHECK(ulp(T{0}, least) == 1U);
  CHECK(ulp(-T{0}, least) == 1U);
  for (const T odd : {infinity, -infinity, std::numeric_limits<T>::quiet_NaN()}) {
    CHECK_FALSE(ulp(odd, T{1}));
    CHECK_FALSE(ulp(T{1}, odd));
    CHECK_FALSE(ulp(odd, odd));
  }
}

TEST_CASE("laws of ULP distances of float32") { check_laws<float>("float32"); }
TEST_CASE("laws of ULP distances of float64") { check_laws<double>("float64"); }

// All finite values of a small format, in order; equal values (two zeros) stand together.
void check_all_neighbours(DType dtype) {
  CAPTURE(name_of(dtype));
  std::vector<std::pair<double, std::uint16_t>> values;
  const unsigned count = 1U << (8 * size_of(dtype));
  for (unsigned bits = 0; bits < count; ++bits) {
    const double value = double_from_small_float(dtype, static_cast<std::uint16_t>(bits));
    const bool absent = !ulp_distance(dtype, bits, bits);
    REQUIRE(absent == !std::isfinite(value));
    if (!absent) values.emplace_back(value, static_cast<std::uint16_t>(bits));
  }
  std::sort(values.begin(), values.end());
  std::uint64_t steps = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::uint64_t expected = values[i - 1].first == values[i].first ? 0 : 1;
    REQUIRE(ulp_distance(dtype, values[i - 1].second, values[i].second) == expected);
    REQUIRE(ulp_distance(dtype, values[i].second, values[i - 1].second) == expected);
    steps += expected;
    REQUIRE(ulp_distance(dtype, values.front().second, values[i].second) == steps);
  }
  CHECK(steps > count / 2);
}

TEST_CASE("neighbours are one ULP apart in all values of the small formats") {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float8_e4m3fn, DType::float8_e5m2,
                            DType::float8_e4m3fnuz, DType::float8_e5m2fnuz, DType::float8_e8m0fnu}) {
    check_all_neighbours(dtype);
  }
}

TEST_CASE("complex parts have ULP distances, integers and booleans have none") {
  CHECK(ulp_distance(DType::complex64, bits_of(1.0F), bits_of(std::nextafter(1.0F, 2.0F))) == 1U);
  CHECK(ulp_distance(DType::complex128, bits_of(1.0), bits_of(1.0)) == 0U);
  CHECK(ulp_distance(DType::complex32, 0x0001, 0x8001) == 2U);
  for (const DType dtype : {DType::boolean, DType::uint8, DType::int8, DType::uint16, DType::int16,
                            DType::uint32, DType::int32, DType::uint64, DType::int64}) {
    CHECK_FALSE(ulp_distance(dtype, 1, 2));
  }
}

}  // namespace

#include "repro/data/quotient.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "repro/base/random.h"

namespace repro {
namespace {

__extension__ using Int128 = __int128;

// Whether `f` is a nearest float to a / b, and the even one of two: |a / b - f| against half a step
// on the side of the quotient, all in integers.
bool is_correctly_rounded(std::int64_t a, std::int64_t b, float f) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::frexp(f, &exponent) * 0x1p24F);
  const int shift = 24 - exponent;  // f = mantissa / 2^shift
  if (shift < 0 || shift > 70) return false;
  const Int128 error = (Int128{a} << shift) - Int128{mantissa} * b;  // of a / b, times b 2^shift
  const bool below_power_of_two = mantissa == 1 << 23 && error < 0;  // steps halve there
  const Int128 twice = 2 * (error < 0 ? -error : error) * (below_power_of_two ? 2 : 1);
  return twice < b || (twice == b && mantissa % 2 == 0);
}

// Pairs whose double quotient lies exactly between two floats although the exact one need not.
std::vector<std::pair<std::int64_t, std::int64_t>> halfway_pairs(std::size_t count) {
  RandomStream random(1, "halfway");
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  while (out.size() < count) {
    const std::int64_t b = (std::int64_t{1} << 52) + random.next();
    const std::int64_t mantissa = (std::int64_t{1} << 24) + 2 * random.below(1U << 23) + 1;
    const auto product = Int128{b} * mantissa;
    const auto a = static_cast<std::int64_t>(product >> 25) + random.below(2);
    const double quotient = static_cast<double>(a) / static_cast<double>(b);
    if (quotient == static_cast<double>(mantissa) * 0x1p-25) out.emplace_back(a, b);
  }
  return out;
}

TEST_CASE("a quotient is rounded once") {
  RandomStream random(0, "quotients");
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t b = 1 + random.next();
    const std::int64_t a = random.next();
    const float result = rounded_quotient(static_cast<double>(a), static_cast<double>(b));
    REQUIRE((a == 0 || is_correctly_rounded(a, b, result)));
  }
}

TEST_CASE("a quotient next to the middle of two floats is rounded to the right one") {
  int rounded_twice_wrongly = 0;
  for (const auto& [a, b] : halfway_pairs(2000)) {
    const auto x = static_cast<double>(a);
    const auto y = static_cast<double>(b);
    const float result = rounded_quotient(x, y);
    REQUIRE(is_correctly_rounded(a, b, result));
    REQUIRE(rounded_quotient(-x, y) == -result);
    std::vector<float> out(1);
    rounded_quotients(std::vector<double>{x + 5}, 5, y, out);
    REQUIRE(out[0] == result);
    rounded_twice_wrongly += static_cast<float>(x / y) != result ? 1 : 0;
  }
  CHECK(rounded_twice_wrongly > 500);  // the test would notice the naive way
}

TEST_CASE("ties go to even, zero is positive") {
  CHECK(rounded_quotient(0x1p24 + 1, 0x1p24) == 1.0F);
  CHECK(rounded_quotient(0x1p24 + 3, 0x1p24) == 1.0F + 0x1p-22F);
  CHECK(rounded_quotient(1, 1) == 1.0F);
  CHECK_FALSE(std::signbit(rounded_quotient(0, 3)));
}

}  // namespace
}  // namespace repro

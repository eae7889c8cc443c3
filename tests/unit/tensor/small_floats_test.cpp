#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "repro/base/error.h"
#include "repro/tensor/half.h"

namespace {

using namespace repro;

// Every finite value of a format by addition instead of decoding: steps of one size up to the end of the
// first binade of normal numbers, then of double the size for each binade.
struct Format {
  DType dtype;
  int exponent_bits, mantissa_bits, bias;
  int finite;  // magnitudes that are finite
};
constexpr Format formats[] = {
    {DType::float16, 5, 10, 15, 0x7C00},     {DType::bfloat16, 8, 7, 127, 0x7F80},
    {DType::float8_e4m3fn, 4, 3, 7, 0x7F},   {DType::float8_e5m2, 5, 2, 15, 0x7C},
    {DType::float8_e4m3fnuz, 4, 3, 8, 0x80}, {DType::float8_e5m2fnuz, 5, 2, 16, 0x80},
};

TEST_CASE("every finite value of the small formats is right") {
  for (const Format& format : formats) {
    CAPTURE(name_of(format.dtype));
    const int sign = 1 << (format.exponent_bits + format.mantissa_bits);
    double value = 0, step = std::ldexp(1.0, 1 - format.bias - format.mantissa_bits);
    for (int bits = 0; bits < format.finite; ++bits) {
      REQUIRE(double_from_small_float(format.dtype, static_cast<std::uint16_t>(bits)) == value);
      if (bits > 0) {
        REQUIRE(double_from_small_float(format.dtype, static_cast<std::uint16_t>(bits | sign)) == -value);
      }
      value += step;
      const int next = bits + 1;
      if (next % (1 << format.mantissa_bits) == 0 && next >= 2 << format.mantissa_bits) step *= 2;
    }
  }
}

TEST_CASE("the ends of the formats are the published ones") {
  CHECK(float_from_half(0x7BFF) == 65504.0F);
  CHECK(float_from_half(0x0001) == 0x1p-24F);
  CHECK(float_from_half(0x0400) == 0x1p-14F);
  CHECK(double_from_small_float(DType::float8_e4m3fn, 0x7E) == 448);
  CHECK(double_from_small_float(DType::float8_e5m2, 0x7B) == 57344);
  CHECK(double_from_small_float(DType::float8_e4m3fnuz, 0x7F) == 240);
  CHECK(double_from_small_float(DType::float8_e5m2fnuz, 0x7F) == 57344);
  for (int bits = 0; bits < 255; ++bits) {
    CHECK(double_from_small_float(DType::float8_e8m0fnu, static_cast<std::uint16_t>(bits)) ==
          std::ldexp(1.0, bits - 127));
  }
}

TEST_CASE("signed zeros and infinities keep their sign") {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    CHECK(std::signbit(double_from_small_float(dtype, 0x8000)));
    CHECK_FALSE(std::signbit(double_from_small_float(dtype, 0)));
  }
  CHECK(std::signbit(double_from_small_float(DType::float8_e4m3fn, 0x80)));
  CHECK(std::signbit(double_from_small_float(DType::float8_e5m2, 0x80)));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(double_from_small_float(DType::float16, 0x7C00) == infinity);
  CHECK(double_from_small_float(DType::float16, 0xFC00) == -infinity);
  CHECK(double_from_small_float(DType::bfloat16, 0xFF80) == -infinity);
  CHECK(double_from_small_float(DType::float8_e5m2, 0x7C) == infinity);
  CHECK(double_from_small_float(DType::float8_e5m2, 0xFC) == -infinity);
}

TEST_CASE("NaN stays NaN, its payload moves up") {
  CHECK(std::bit_cast<std::uint32_t>(float_from_half(0xFD23)) == 0xFFA46000U);
  CHECK(std::bit_cast<std::uint32_t>(float_from_bfloat16(0x7FA5)) == 0x7FA50000U);
  const struct {
    DType dtype;
    std::vector<std::uint16_t> bits;
  } nans[] = {{DType::float16, {0x7C01, 0x7E00, 0xFFFF}},
              {DType::bfloat16, {0x7F81, 0xFFFF}},
              {DType::float8_e4m3fn, {0x7F, 0xFF}},
              {DType::float8_e5m2, {0x7D, 0x7E, 0x7F, 0xFD, 0xFF}},
              {DType::float8_e4m3fnuz, {0x80}},
              {DType::float8_e5m2fnuz, {0x80}},
              {DType::float8_e8m0fnu, {0xFF}}};
  for (const auto& row : nans) {
    for (const std::uint16_t bits : row.bits) CHECK(std::isnan(double_from_small_float(row.dtype, bits)));
  }
  CHECK_THROWS_AS(double_from_small_float(DType::float32, 0), Error);
}

}  // namespace

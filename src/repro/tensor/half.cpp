#include "repro/tensor/half.h"

#include <bit>
#include <cmath>
#include <limits>

#include "repro/base/error.h"

namespace repro {
namespace {

// A binary float of 1 sign bit, `exponent_bits` and `mantissa_bits`, without its special values.
double decode(std::uint16_t bits, int exponent_bits, int mantissa_bits, int bias) {
  const int exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const bool negative = ((bits >> (exponent_bits + mantissa_bits)) & 1) != 0;
  const double magnitude = exponent == 0
                               ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                               : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  return negative ? -magnitude : magnitude;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

float float_from_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  if ((bits & 0x7C00U) == 0x7C00U) {
    return std::bit_cast<float>(sign | 0x7F800000U | (static_cast<std::uint32_t>(bits & 0x3FFU) << 13));
  }
  return static_cast<float>(decode(bits, 5, 10, 15));
}

float float_from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

double double_from_small_float(DType dtype, std::uint16_t bits) {
  switch (dtype) {
    case DType::float16: return float_from_half(bits);
    case DType::bfloat16: return float_from_bfloat16(bits);
    case DType::float8_e4m3fn: return (bits & 0x7F) == 0x7F ? nan : decode(bits, 4, 3, 7);
    case DType::float8_e5m2:
      if ((bits & 0x7C) != 0x7C) return decode(bits, 5, 2, 15);
      if ((bits & 3) != 0) return nan;
      return (bits & 0x80) != 0 ? -infinity : infinity;
    case DType::float8_e4m3fnuz: return bits == 0x80 ? nan : decode(bits, 4, 3, 8);
    case DType::float8_e5m2fnuz: return bits == 0x80 ? nan : decode(bits, 5, 2, 16);
    case DType::float8_e8m0fnu: return bits == 0xFF ? nan : std::ldexp(1.0, bits - 127);
    default: throw Error(ErrorKind::bug, "not a small float: " + std::string(name_of(dtype)));
  }
}

}  // namespace repro

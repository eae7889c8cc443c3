#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "repro/base/error.h"
#include "repro/tensor/dtype.h"
#include "repro/tensor/half.h"

namespace repro {

// How the bits of one number read. Each format has
//   Bits                       an unsigned integer of the number's size
//   is_floating                NaN, infinities and ULP distances make sense
//   is_number                  false for booleans: no difference is defined
//   parts                      numbers in an element: 2 for complex
//   is_nan, is_finite, is_zero, is_negative (Bits)
//   value(Bits)                as double; exact for all floats, rounded for 64-bit integers
// All are pure functions of bits: no floating-point state, no environment.

template <DType dtype, class BitsType>
struct IntegerFormat {
  using Bits = BitsType;
  using Integer = std::conditional_t<dtype == DType::int8 || dtype == DType::int16 || dtype == DType::int32 ||
                                         dtype == DType::int64,
                                     std::make_signed_t<Bits>, Bits>;
  static constexpr bool is_floating = false;
  static constexpr bool is_number = dtype != DType::boolean;
  static constexpr std::uint64_t parts = 1;
  static constexpr bool is_nan(Bits) { return false; }
  static constexpr bool is_finite(Bits) { return true; }
  static constexpr bool is_zero(Bits bits) { return bits == 0; }
  static constexpr bool is_negative(Bits bits) { return static_cast<Integer>(bits) < 0; }
  static constexpr double value(Bits bits) { return static_cast<double>(static_cast<Integer>(bits)); }
};

// A binary float. `sign` is its sign bit (0 if it has none); the magnitude, what is left without it, grows
// with the number's absolute value up to `nonfinite`, the first magnitude that is no finite number;
// from `first_nan` on magnitudes are NaN. In the fnuz formats the bits of -0 are the only NaN.
template <DType dtype, class BitsType, BitsType sign, BitsType nonfinite, BitsType first_nan,
          bool fnuz = false>
struct FloatFormat {
  using Bits = BitsType;
  static constexpr bool is_floating = true;
  static constexpr bool is_number = true;
  static constexpr std::uint64_t parts = 1;
  static constexpr Bits magnitude(Bits bits) { return static_cast<Bits>(bits & ~sign); }
  static constexpr bool is_nan(Bits bits) { return fnuz ? bits == sign : magnitude(bits) >= first_nan; }
  static constexpr bool is_finite(Bits bits) { return fnuz ? bits != sign : magnitude(bits) < nonfinite; }
  // The exponent-only format (sign 0) has no zero.
  static constexpr bool is_zero(Bits bits) { return sign != 0 && magnitude(bits) == 0 && !is_nan(bits); }
  static constexpr bool is_negative(Bits bits) { return (bits & sign) != 0; }
  static double value(Bits bits) {
    if constexpr (dtype == DType::float64) {
      return std::bit_cast<double>(bits);
    } else if constexpr (dtype == DType::float32) {
      return static_cast<double>(std::bit_cast<float>(bits));
    } else {
      return double_from_small_float(dtype, bits);
    }
  }
};

using Float64Format =
    FloatFormat<DType::float64, std::uint64_t, 0x8000000000000000U, 0x7FF0000000000000U, 0x7FF0000000000001U>;
using Float32Format = FloatFormat<DType::float32, std::uint32_t, 0x80000000U, 0x7F800000U, 0x7F800001U>;
using HalfFormat = FloatFormat<DType::float16, std::uint16_t, 0x8000U, 0x7C00U, 0x7C01U>;
using Bfloat16Format = FloatFormat<DType::bfloat16, std::uint16_t, 0x8000U, 0x7F80U, 0x7F81U>;
using E4m3fnFormat = FloatFormat<DType::float8_e4m3fn, std::uint8_t, 0x80U, 0x7FU, 0x7FU>;
using E5m2Format = FloatFormat<DType::float8_e5m2, std::uint8_t, 0x80U, 0x7CU, 0x7DU>;
using E4m3fnuzFormat = FloatFormat<DType::float8_e4m3fnuz, std::uint8_t, 0x80U, 0x80U, 0x80U, true>;
using E5m2fnuzFormat = FloatFormat<DType::float8_e5m2fnuz, std::uint8_t, 0x80U, 0x80U, 0x80U, true>;
using E8m0fnuFormat = FloatFormat<DType::float8_e8m0fnu, std::uint8_t, 0U, 0xFFU, 0xFFU>;

template <class Part>
struct ComplexFormat : Part {
  static constexpr std::uint64_t parts = 2;
};

// Calls `f` with a value of the format of `dtype`.
template <class Function>
decltype(auto) with_format(DType dtype, Function&& f) {
  switch (dtype) {
    case DType::boolean: return f(IntegerFormat<DType::boolean, std::uint8_t>{});
    case DType::uint8: return f(IntegerFormat<DType::uint8, std::uint8_t>{});
    case DType::int8: return f(IntegerFormat<DType::int8, std::uint8_t>{});
    case DType::uint16: return f(IntegerFormat<DType::uint16, std::uint16_t>{});
    case DType::int16: return f(IntegerFormat<DType::int16, std::uint16_t>{});
    case DType::uint32: return f(IntegerFormat<DType::uint32, std::uint32_t>{});
    case DType::int32: return f(IntegerFormat<DType::int32, std::uint32_t>{});
    case DType::uint64: return f(IntegerFormat<DType::uint64, std::uint64_t>{});
    case DType::int64: return f(IntegerFormat<DType::int64, std::uint64_t>{});
    case DType::float16: return f(HalfFormat{});
    case DType::bfloat16: return f(Bfloat16Format{});
    case DType::float32: return f(Float32Format{});
    case DType::float64: return f(Float64Format{});
    case DType::complex64: return f(ComplexFormat<Float32Format>{});
    case DType::complex128: return f(ComplexFormat<Float64Format>{});
    case DType::complex32: return f(ComplexFormat<HalfFormat>{});
    case DType::float8_e4m3fn: return f(E4m3fnFormat{});
    case DType::float8_e5m2: return f(E5m2Format{});
    case DType::float8_e4m3fnuz: return f(E4m3fnuzFormat{});
    case DType::float8_e5m2fnuz: return f(E5m2fnuzFormat{});
    case DType::float8_e8m0fnu: return f(E8m0fnuFormat{});
  }
  throw Error(ErrorKind::bug, "unknown dtype");
}

}  // namespace repro

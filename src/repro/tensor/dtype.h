#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace repro {

// Element types that can be named. Spellings are those of the public contract (PyTorch's names).
// Numeric values are part of the fingerprint's definition (docs/formats.md): never renumber, only add.
enum class DType : std::uint8_t {
  boolean = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  uint32 = 6,
  int32 = 7,
  uint64 = 8,
  int64 = 9,
  float16 = 10,
  bfloat16 = 11,
  float32 = 12,
  float64 = 13,
  complex64 = 14,   // two float32: real, imaginary
  complex128 = 15,  // two float64
  complex32 = 16,   // two float16
  float8_e4m3fn = 17,
  float8_e5m2 = 18,
  float8_e4m3fnuz = 19,
  float8_e5m2fnuz = 20,
  float8_e8m0fnu = 21,
};

std::string_view name_of(DType dtype);  // "bool", "uint8", "float32", "bfloat16", ...
std::optional<DType> dtype_named(std::string_view name);
std::size_t size_of(DType dtype);  // bytes of one element, 1 to 16

bool is_floating(DType dtype);  // real floating point, 8-bit floats included
bool is_complex(DType dtype);
bool is_integer(DType dtype);  // neither boolean, floating nor complex

}  // namespace repro

#include "repro/tensor/dtype.h"

#include <array>
#include <string>

#include "repro/base/error.h"

namespace repro {
namespace {

enum class Class { boolean, integer, floating, complex };
struct Row {
  DType dtype;
  std::string_view name;
  std::size_t size_bytes;
  Class kind;
};
constexpr std::array<Row, 21> table = {{
    {DType::boolean, "bool", 1, Class::boolean},
    {DType::uint8, "uint8", 1, Class::integer},
    {DType::int8, "int8", 1, Class::integer},
    {DType::uint16, "uint16", 2, Class::integer},
    {DType::int16, "int16", 2, Class::integer},
    {DType::uint32, "uint32", 4, Class::integer},
    {DType::int32, "int32", 4, Class::integer},
    {DType::uint64, "uint64", 8, Class::integer},
    {DType::int64, "int64", 8, Class::integer},
    {DType::float16, "float16", 2, Class::floating},
    {DType::bfloat16, "bfloat16", 2, Class::floating},
    {DType::float32, "float32", 4, Class::floating},
    {DType::float64, "float64", 8, Class::floating},
    {DType::complex64, "complex64", 8, Class::complex},
    {DType::complex128, "complex128", 16, Class::complex},
    {DType::complex32, "complex32", 4, Class::complex},
    {DType::float8_e4m3fn, "float8_e4m3fn", 1, Class::floating},
    {DType::float8_e5m2, "float8_e5m2", 1, Class::floating},
    {DType::float8_e4m3fnuz, "float8_e4m3fnuz", 1, Class::floating},
    {DType::float8_e5m2fnuz, "float8_e5m2fnuz", 1, Class::floating},
    {DType::float8_e8m0fnu, "float8_e8m0fnu", 1, Class::floating},
}};

const Row& row_of(DType dtype) {
  for (const Row& row : table) {
    if (row.dtype == dtype) return row;
  }
  throw Error(ErrorKind::bug, "unknown dtype number " + std::to_string(static_cast<int>(dtype)));
}

}  // namespace

std::string_view name_of(DType dtype) { return row_of(dtype).name; }
std::size_t size_of(DType dtype) { return row_of(dtype).size_bytes; }
bool is_floating(DType dtype) { return row_of(dtype).kind == Class::floating; }
bool is_complex(DType dtype) { return row_of(dtype).kind == Class::complex; }
bool is_integer(DType dtype) { return row_of(dtype).kind == Class::integer; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const Row& row : table) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

}  // namespace repro

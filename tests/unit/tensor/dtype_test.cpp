#include "repro/tensor/dtype.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "repro/base/error.h"

namespace {

using namespace repro;

// The numbers are part of fingerprints: this table must never change, only grow.
struct Row {
  int number;
  const char* name;
  std::size_t size_bytes;
  char kind;  // boolean, integer, floating, complex
};
constexpr Row rows[] = {
    {1, "bool", 1, 'b'},
    {2, "uint8", 1, 'i'},
    {3, "int8", 1, 'i'},
    {4, "uint16", 2, 'i'},
    {5, "int16", 2, 'i'},
    {6, "uint32", 4, 'i'},
    {7, "int32", 4, 'i'},
    {8, "uint64", 8, 'i'},
    {9, "int64", 8, 'i'},
    {10, "float16", 2, 'f'},
    {11, "bfloat16", 2, 'f'},
    {12, "float32", 4, 'f'},
    {13, "float64", 8, 'f'},
    {14, "complex64", 8, 'c'},
    {15, "complex128", 16, 'c'},
    {16, "complex32", 4, 'c'},
    {17, "float8_e4m3fn", 1, 'f'},
    {18, "float8_e5m2", 1, 'f'},
    {19, "float8_e4m3fnuz", 1, 'f'},
    {20, "float8_e5m2fnuz", 1, 'f'},
    {21, "float8_e8m0fnu", 1, 'f'},
};

TEST_CASE("dtypes have their published numbers, names and sizes") {
  for (const Row& row : rows) {
    const auto dtype = static_cast<DType>(row.number);
    CAPTURE(row.name);
    CHECK(name_of(dtype) == row.name);
    CHECK(dtype_named(row.name) == dtype);
    CHECK(size_of(dtype) == row.size_bytes);
    CHECK(is_integer(dtype) == (row.kind == 'i'));
    CHECK(is_floating(dtype) == (row.kind == 'f'));
    CHECK(is_complex(dtype) == (row.kind == 'c'));
  }
}

TEST_CASE("other names and numbers are no dtypes") {
  for (const char* name : {"", "float", "Float32", "float32 ", "F32", "boolean", "half"}) {
    CHECK_FALSE(dtype_named(name));
  }
  CHECK_THROWS_AS(name_of(static_cast<DType>(0)), Error);
  CHECK_THROWS_AS(name_of(static_cast<DType>(std::size(rows) + 1)), Error);
}

}  // namespace

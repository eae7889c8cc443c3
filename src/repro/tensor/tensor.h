#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repro/base/bytes.h"
#include "repro/base/error.h"
#include "repro/base/shared_array.h"
#include "repro/tensor/dtype.h"

namespace repro {

// Sizes of the dimensions, each >= 0; {} is a scalar (one element), a zero makes it empty.
using Shape = std::vector<std::int64_t>;
// A shape, or strides, that do not change any more: where there are many of them.
using Dimensions = SharedArray<std::int64_t>;

// Number of elements, or nothing if it (or the product of some prefix) exceeds 2^62 or a size is negative.
std::optional<std::uint64_t> checked_element_count(std::span<const std::int64_t> shape);
// As above; Error{bug} where that has nothing: for shapes that were checked on entry.
std::uint64_t element_count(std::span<const std::int64_t> shape);
std::string shape_text(std::span<const std::int64_t> shape,
                       std::string_view separator = "x");  // "8x1x3x3", scalar ""

// A tensor that somebody else owns: contiguous, row-major, little-endian.
// Invariant: bytes.size() == element_count(shape) * size_of(dtype).
struct TensorView {
  DType dtype = DType::float32;
  Shape shape;
  ByteView bytes;

  std::uint64_t size() const { return bytes.size() / size_of(dtype); }
  // The elements as T. Precondition: T fits the dtype and bytes are aligned for T.
  template <class T>
  std::span<const T> values() const {
    if (sizeof(T) != size_of(dtype)) throw Error(ErrorKind::bug, "a tensor read as another dtype");
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// A tensor that owns its memory (64-byte alignment is not promised; 16 is).
struct Tensor {
  DType dtype = DType::float32;
  Shape shape;
  Bytes storage;

  Tensor() = default;
  Tensor(DType d, Shape s)  // zero bytes
      : dtype(d), shape(std::move(s)), storage(element_count(shape) * size_of(d)) {}
  TensorView view() const { return {dtype, shape, storage}; }
  template <class T>
  std::span<T> values() {
    if (sizeof(T) != size_of(dtype)) throw Error(ErrorKind::bug, "a tensor read as another dtype");
    return {reinterpret_cast<T*>(storage.data()), storage.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> values() const {
    return view().values<T>();
  }
};

struct NamedTensorView {
  std::string name;
  TensorView tensor;
};
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace repro

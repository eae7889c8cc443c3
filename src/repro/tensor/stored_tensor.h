#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "repro/tensor/tensor.h"

namespace repro {

// Bytes of a file that may have to be fetched first: a member of an archive whose checksum must hold, or
// that must be inflated. Safe to use from several threads.
class Storage {
 public:
  virtual ~Storage() = default;
  // All bytes, fetched and checked when they are first asked for. Error{input}, each time, if they are
  // damaged. The view is valid until release() or the end of the object.
  virtual ByteView bytes() const = 0;
  // bytes().size(), without fetching.
  virtual std::uint64_t size_bytes() const = 0;
  // Gives memory back that holds fetched bytes; they are fetched again when needed. No view may be in use.
  virtual void release() const {}
};

// A tensor as it lies in a file: any strides, either byte order, possibly with signs that read flipped.
// Its elements are compared in row-major logical order whatever their layout; RowMajor reads them so.
// Invariant, checked by whoever makes one (last_element_touched): every element lies within the storage.
struct StoredTensor {
  DType dtype = DType::float32;
  bool byte_swapped = false;  // big-endian numbers (parts of complex elements one by one)
  bool conjugated = false;    // complex: the imaginary part reads with its sign bit flipped
  bool negated = false;       // floating and complex: every number reads with its sign bit flipped
  Dimensions shape;
  // Where the bytes are: `direct` if there is no storage, else storage->bytes(); the first element begins
  // `offset_bytes` into it. A direct view lives as long as whatever owns it.
  ByteView direct;
  std::shared_ptr<const Storage> storage;
  std::uint64_t offset_bytes = 0;
  // In elements, one for each dimension, negative or zero as well; empty = row-major without gaps.
  Dimensions strides;

  StoredTensor() = default;
  StoredTensor(const TensorView& view)  // NOLINT(google-explicit-constructor): a view is a stored tensor
      : dtype(view.dtype), shape(view.shape), direct(view.bytes) {}

  // Number of elements; Error{bug} for a shape that overflows.
  std::uint64_t size() const { return element_count(shape); }
  std::uint64_t size_bytes() const { return size() * size_of(dtype); }
};

// True if the strides describe row-major order without gaps (dimensions of size 1 do not count).
bool is_row_major(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);
// Strides of row-major order, in elements.
std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> shape);

// The smallest and largest element number, relative to the first element, that a tensor of this shape
// touches; nothing if the tensor is empty or a number does not fit 64 bits (`overflow` tells which).
struct ElementRange {
  std::int64_t first = 0;  // <= 0
  std::int64_t last = 0;   // >= 0
};
std::optional<ElementRange> elements_touched(std::span<const std::int64_t> shape,
                                             std::span<const std::int64_t> strides, bool& overflow);

// Reads a stored tensor in row-major order. Keeps a reference to the tensor, which must outlive it.
// Construction fetches the bytes: Error{input} as Storage::bytes().
class RowMajor {
 public:
  explicit RowMajor(const StoredTensor& tensor);

  // All bytes at once where they already lie in row-major order, little-endian, with their own signs.
  std::optional<ByteView> plain() const;
  // The bytes of elements [first, first + count) in row-major order; uses `scratch` only where they must
  // be gathered, and is then valid until it is used again. Safe from several threads, each with its own.
  // Precondition: the range lies within the tensor.
  ByteView read(std::uint64_t first, std::uint64_t count, Bytes& scratch) const;

 private:
  void gather(std::uint64_t first, std::uint64_t count, std::byte* out) const;
  void correct(std::span<std::byte> bytes) const;

  const StoredTensor& tensor_;
  ByteView bytes_;  // from the first element's storage on
  bool row_major_;
};

// A copy of a whole tensor in row-major order: for small ones, and for tests.
Tensor materialise(const StoredTensor& tensor);

}  // namespace repro

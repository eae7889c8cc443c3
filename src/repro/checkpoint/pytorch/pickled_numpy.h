#pragma once

#include <optional>
#include <string>

#include "repro/checkpoint/pytorch/source.h"
#include "repro/snapshot/item.h"

namespace repro {

// numpy's arrays and scalars within a pickle. All give Error{input} for what is malformed.

// The bytes of a bytes object: itself, or how protocol 2 writes it, _codecs.encode(text, 'latin1').
// Nothing if the node is neither.
std::optional<std::string> pickled_bytes(const PickleSource& source, PickleNode node);

// An element type of numpy: "<f4". Without `dtype` it cannot be read.
struct NumpyType {
  std::string name;  // "float32", or numpy's code for others: "U3", "O8"
  std::optional<DType> dtype;
  bool byte_swapped = false;
  std::string code;       // with its byte order
  bool is_whole = false;  // the code says everything; fields and units of time would be elsewhere
};
NumpyType numpy_type(const PickleSource& source, PickleNode call, const std::string& path);

// An array, made by _reconstruct or _frombuffer, with bytes of its own; unreadable elements give an item
// with a reason.
Item numpy_array_item(const PickleSource& source, PickleNode call, const std::string& path);

// A scalar, as a leaf of type "numpy.float32" with the number as Python prints it, texts with their bytes.
Item numpy_scalar_item(const PickleSource& source, PickleNode call, const std::string& path);
// A dtype as a leaf.
Item numpy_dtype_item(const PickleSource& source, PickleNode call, const std::string& path);

}  // namespace repro

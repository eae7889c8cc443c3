#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "repro/snapshot/fingerprint.h"
#include "repro/snapshot/trace.h"
#include "repro/tensor/element_change.h"

namespace repro {

// Our name for an element type; nothing for quantised and other types that we have none for.
std::optional<DType> dtype_of(const at::Tensor& tensor);

// Whether a tensor has memory of its own that can be read: strided, not a meta tensor, of a known dtype.
bool has_readable_memory(const at::Tensor& tensor);

// How a tensor is fingerprinted: row-major, or, where it lies densely in another order, as it lies, with the
// strides on record (TraceSlot::strides). Tensors on another device are copied to the host first.
struct FingerprintedTensor {
  Fingerprint value = 0;
  std::vector<std::int64_t> strides;
};
// Precondition: has_readable_memory. LibTorch's threads share the work, which changes no bit.
FingerprintedTensor fingerprint_of(const at::Tensor& tensor);

// A copy on the host, in row-major order. Precondition: has_readable_memory.
Tensor host_copy(const at::Tensor& tensor);

// Changes the element with this row-major index by a raw write to the tensor's memory: no version counter
// moves, autograd does not notice. Error{request} for an index that does not exist; else as change_element().
void change_element_of(const at::Tensor& tensor, std::uint64_t index, const ElementChange& change);

}  // namespace repro

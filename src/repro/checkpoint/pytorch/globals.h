#pragma once

#include <string_view>

namespace repro {

// What a global of a PyTorch pickle means to us: the allow-list. Nothing is imported or called; a meaning
// says how the arguments of a call are read.
enum class TorchGlobal {
  unknown,  // not on the list
  // Containers.
  mapping,        // call(), call(dict): keys that were set
  default_dict,   // call(factory)
  sequence,       // call(), call(list), call(list, maxlen)
  attributes,     // call() with a state: its attributes
  script_object,  // of TorchScript: its state
  // Values that are no tensors.
  set,
  frozen_set,
  complex,
  bytes,  // call(): none
  byte_array,
  encode,  // _codecs.encode(text, 'latin1'): bytes
  device,
  size,
  layout,   // call('torch.strided')
  path,     // call(part, ...)
  version,  // call(text): a str of a class of its own
  numpy_dtype,
  numpy_scalar,
  dtype,        // the global itself: torch.float32
  named_value,  // the global itself: torch.strided, torch.per_tensor_affine, ...
  type,         // the global itself: a harmless class
  // Tensors.
  storage_type,
  tensor,             // (storage, offset, size, stride)
  tensor_v2,          // (..., requires_grad, hooks, [metadata])
  tensor_v3,          // (..., requires_grad, hooks, dtype, [metadata])
  quantised_tensor,   // (..., quantiser, requires_grad, hooks)
  parameter,          // (data, ...)
  tensor_of_type,     // (function, type, arguments, state)
  device_tensor,      // (data, dtype, device, requires_grad)
  sparse_tensor,      // (layout, parts)
  nested_tensor,      // (buffer, sizes, strides, offsets)
  meta_tensor,        // (dtype, size, stride, requires_grad)
  unreadable_tensor,  // of a kind that we know, and do not read
  numpy_array,        // _reconstruct(type, (0,), b'b') with a state
  numpy_buffer,       // _frombuffer(bytes, dtype, shape, order)
  // TorchScript's words for typed values: the first argument is the value.
  typed_value,
};

TorchGlobal torch_global(std::string_view module, std::string_view name);

// PyTorch's own name of an element type that has several: "float" is "float32". Others as they are.
std::string_view canonical_dtype(std::string_view name);

}  // namespace repro

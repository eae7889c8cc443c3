#include "repro/engine/libtorch/memory.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

// The tensor's memory, read with these sizes and strides; the tensor must outlive it and lie on the host.
StoredTensor stored(const at::Tensor& tensor, const Shape& shape, const std::vector<std::int64_t>& strides) {
  StoredTensor out;
  out.dtype = *dtype_of(tensor);
  out.shape = shape;
  if (!is_row_major(shape, strides)) out.strides = strides;
  out.conjugated = tensor.is_conj();
  out.negated = tensor.is_neg();
  bool overflow = false;
  const auto touched = elements_touched(shape, strides, overflow);
  const std::uint64_t elements = touched ? static_cast<std::uint64_t>(touched->last) + 1 : 0;
  out.direct = {static_cast<const std::byte*>(tensor.const_data_ptr()), elements * size_of(out.dtype)};
  return out;
}

// Dimensions by falling stride.
std::vector<std::size_t> order_in_memory(const std::vector<std::int64_t>& strides) {
  std::vector<std::size_t> order(strides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return strides[i]; });
  return order;
}

// By LibTorch's own threads, which are idle between operations: other ones would have to be started.
Fingerprint shared_fingerprint(const StoredTensor& tensor) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{256} << 10;
  return fingerprint(tensor, piece_bytes, [](std::uint64_t count, const auto& work) {
    at::parallel_for(0, static_cast<std::int64_t>(count), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) work(static_cast<std::uint64_t>(i));
    });
  });
}

at::Tensor on_host(const at::Tensor& tensor) {
  const at::NoGradGuard no_grad;
  return tensor.detach().to(at::kCPU);
}

std::int64_t element_offset(const at::Tensor& tensor, std::uint64_t index) {
  std::int64_t offset = 0;
  for (std::int64_t d = tensor.dim() - 1; d >= 0; --d) {
    const auto size = static_cast<std::uint64_t>(tensor.size(d));
    offset += static_cast<std::int64_t>(index % size) * tensor.stride(d);
    index /= size;
  }
  return offset;
}

}  // namespace

std::optional<DType> dtype_of(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kBool: return DType::boolean;
    case at::kByte: return DType::uint8;
    case at::kChar: return DType::int8;
    case at::kUInt16: return DType::uint16;
    case at::kShort: return DType::int16;
    case at::kUInt32: return DType::uint32;
    case at::kInt: return DType::int32;
    case at::kUInt64: return DType::uint64;
    case at::kLong: return DType::int64;
    case at::kHalf: return DType::float16;
    case at::kBFloat16: return DType::bfloat16;
    case at::kFloat: return DType::float32;
    case at::kDouble: return DType::float64;
    case at::kComplexHalf: return DType::complex32;
    case at::kComplexFloat: return DType::complex64;
    case at::kComplexDouble: return DType::complex128;
    case at::kFloat8_e4m3fn: return DType::float8_e4m3fn;
    case at::kFloat8_e5m2: return DType::float8_e5m2;
    case at::kFloat8_e4m3fnuz: return DType::float8_e4m3fnuz;
    case at::kFloat8_e5m2fnuz: return DType::float8_e5m2fnuz;
    default: return std::nullopt;
  }
}

bool has_readable_memory(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == at::kStrided && tensor.has_storage() && !tensor.is_meta() &&
         !tensor.is_quantized() && dtype_of(tensor).has_value();
}

FingerprintedTensor fingerprint_of(const at::Tensor& tensor) {
  if (!tensor.is_cpu()) return fingerprint_of(on_host(tensor));
  const Shape shape = tensor.sizes().vec();
  const std::vector<std::int64_t> strides = tensor.strides().vec();
  if (is_row_major(shape, strides) || !tensor.is_non_overlapping_and_dense()) {
    return {shared_fingerprint(stored(tensor, shape, strides)), {}};
  }
  Shape sorted;
  for (const std::size_t i : order_in_memory(strides)) sorted.push_back(shape[i]);
  return {shared_fingerprint(stored(tensor, sorted, row_major_strides(sorted))), strides};
}

Tensor host_copy(const at::Tensor& tensor) {
  const at::Tensor host = tensor.is_cpu() ? tensor : on_host(tensor);
  return materialise(stored(host, host.sizes().vec(), host.strides().vec()));
}

void change_element_of(const at::Tensor& tensor, std::uint64_t index, const ElementChange& change) {
  const auto count = static_cast<std::uint64_t>(tensor.numel());
  if (index >= count) {
    throw Error(ErrorKind::request,
                "the tensor has " + thousands(count) + " values, there is no index " + thousands(index));
  }
  const auto dtype = dtype_of(tensor);
  if (!dtype) throw Error(ErrorKind::unavailable, "the fault cannot be injected: unknown element type");
  const std::int64_t offset = element_offset(tensor, index);
  const std::size_t size = size_of(*dtype);
  if (tensor.is_cpu()) {
    auto* first = static_cast<std::byte*>(tensor.mutable_data_ptr());
    return change_element({first + offset * static_cast<std::int64_t>(size), size}, *dtype, change);
  }
  // A view with a version counter of its own, so that the copy back is not noticed either.
  const at::NoGradGuard no_grad;
  const at::Tensor element = tensor.variable_data().as_strided({}, {}, tensor.storage_offset() + offset);
  const at::Tensor host = element.to(at::kCPU).contiguous();
  change_element({static_cast<std::byte*>(host.mutable_data_ptr()), size}, *dtype, change);
  element.copy_(host);
}

}  // namespace repro

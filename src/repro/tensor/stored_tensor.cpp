#include "repro/tensor/stored_tensor.h"

#include <algorithm>
#include <cstring>

namespace repro {
namespace {

// Numbers of a complex element are swapped and negated one by one.
std::size_t number_bytes(DType dtype) { return is_complex(dtype) ? size_of(dtype) / 2 : size_of(dtype); }

// Copies `count` elements of SIZE bytes that lie `stride` bytes apart.
template <std::size_t SIZE>
void copy_strided(const std::byte* from, std::int64_t stride, std::uint64_t count, std::byte* to) {
  for (std::uint64_t i = 0; i < count; ++i, from += stride, to += SIZE) std::memcpy(to, from, SIZE);
}

void copy_run(const std::byte* from, std::int64_t stride, std::uint64_t count, std::size_t size,
              std::byte* to) {
  if (stride == static_cast<std::int64_t>(size)) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * size);
    return;
  }
  switch (size) {
    case 1: return copy_strided<1>(from, stride, count, to);
    case 2: return copy_strided<2>(from, stride, count, to);
    case 4: return copy_strided<4>(from, stride, count, to);
    case 8: return copy_strided<8>(from, stride, count, to);
    case 16: return copy_strided<16>(from, stride, count, to);
    default: throw Error(ErrorKind::bug, "an element of " + std::to_string(size) + " bytes");
  }
}

bool multiply(std::int64_t a, std::int64_t b, std::int64_t& out) {
  return !__builtin_mul_overflow(a, b, &out);
}

}  // namespace

bool is_row_major(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
  if (strides.empty()) return true;
  if (element_count(shape) == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t next = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = next;
    next *= std::max<std::int64_t>(shape[i], 1);
  }
  return strides;
}

std::optional<ElementRange> elements_touched(std::span<const std::int64_t> shape,
                                             std::span<const std::int64_t> strides, bool& overflow) {
  overflow = true;
  const auto count = checked_element_count(shape);
  if (!count) return std::nullopt;
  ElementRange range;
  if (*count > 0 && strides.empty()) {
    range.last = static_cast<std::int64_t>(*count - 1);
  } else if (*count > 0) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      std::int64_t reach = 0;
      if (!multiply(shape[i] - 1, strides[i], reach)) return std::nullopt;
      std::int64_t& end = reach < 0 ? range.first : range.last;
      if (__builtin_add_overflow(end, reach, &end)) return std::nullopt;
    }
  }
  overflow = false;
  return *count == 0 ? std::nullopt : std::optional(range);
}

RowMajor::RowMajor(const StoredTensor& tensor)
    : tensor_(tensor),
      bytes_(tensor.storage ? tensor.storage->bytes() : tensor.direct),
      row_major_(is_row_major(tensor.shape, tensor.strides)) {
  bool overflow = false;
  const auto range = elements_touched(tensor.shape, tensor.strides, overflow);
  if (!range && !overflow) return;  // empty
  const std::uint64_t size = size_of(tensor.dtype);
  const std::uint64_t limit = bytes_.size() / size, before = tensor.offset_bytes / size;
  if (overflow || tensor.offset_bytes > bytes_.size() || static_cast<std::uint64_t>(-range->first) > before ||
      static_cast<std::uint64_t>(range->last) >= limit ||
      tensor.offset_bytes + (static_cast<std::uint64_t>(range->last) + 1) * size > bytes_.size()) {
    throw Error(ErrorKind::bug, "a stored tensor reaches beyond its storage");
  }
}

std::optional<ByteView> RowMajor::plain() const {
  if (!row_major_ || tensor_.byte_swapped || tensor_.conjugated || tensor_.negated) return std::nullopt;
  const std::uint64_t size = tensor_.size_bytes();
  if (size == 0) return ByteView{};
  return bytes_.subspan(static_cast<std::size_t>(tensor_.offset_bytes), static_cast<std::size_t>(size));
}

ByteView RowMajor::read(std::uint64_t first, std::uint64_t count, Bytes& scratch) const {
  const std::size_t size = size_of(tensor_.dtype);
  const auto length = static_cast<std::size_t>(count) * size;
  if (length == 0) return {};
  if (row_major_) {
    const auto at = static_cast<std::size_t>(tensor_.offset_bytes + first * size);
    const ByteView range = bytes_.subspan(at, length);
    if (!tensor_.byte_swapped && !tensor_.conjugated && !tensor_.negated) return range;
    scratch.assign(range.begin(), range.end());
  } else {
    scratch.resize(length);
    gather(first, count, scratch.data());
  }
  correct(std::span(scratch).first(length));
  return ByteView(scratch).first(length);
}

void RowMajor::gather(std::uint64_t first, std::uint64_t count, std::byte* out) const {
  const Dimensions& shape = tensor_.shape;
  const auto size = static_cast<std::int64_t>(size_of(tensor_.dtype));
  const std::size_t rank = shape.size();  // at least 1: a scalar is row-major
  std::vector<std::int64_t> index(rank);
  auto at = static_cast<std::int64_t>(tensor_.offset_bytes);
  for (std::size_t i = rank; i-- > 0;) {
    index[i] = static_cast<std::int64_t>(first % static_cast<std::uint64_t>(shape[i]));
    first /= static_cast<std::uint64_t>(shape[i]);
    at += index[i] * tensor_.strides[i] * size;
  }
  const std::int64_t inner = tensor_.strides[rank - 1] * size;
  while (count > 0) {
    const std::int64_t left = shape[rank - 1] - index[rank - 1];
    const std::uint64_t run = std::min(count, static_cast<std::uint64_t>(left));
    copy_run(bytes_.data() + at, inner, run, static_cast<std::size_t>(size), out);
    out += run * static_cast<std::uint64_t>(size);
    count -= run;
    // To the start of the next row.
    at -= index[rank - 1] * inner;
    index[rank - 1] = 0;
    for (std::size_t i = rank - 1; i-- > 0;) {
      at += tensor_.strides[i] * size;
      if (++index[i] < shape[i]) break;
      at -= shape[i] * tensor_.strides[i] * size;
      index[i] = 0;
    }
  }
}

// Byte order, then signs.
void RowMajor::correct(std::span<std::byte> bytes) const {
  const std::size_t size = number_bytes(tensor_.dtype);
  if (tensor_.byte_swapped && size > 1) {
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                   bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
    }
  }
  const bool complex = is_complex(tensor_.dtype);
  for (std::size_t number = 0; number * size < bytes.size(); ++number) {
    const bool imaginary = complex && number % 2 == 1;
    if (tensor_.negated != (tensor_.conjugated && imaginary)) {
      bytes[(number + 1) * size - 1] ^= std::byte{0x80};
    }
  }
}

Tensor materialise(const StoredTensor& tensor) {
  Tensor out(tensor.dtype, Shape(tensor.shape.begin(), tensor.shape.end()));
  const RowMajor reader(tensor);
  Bytes scratch;
  const ByteView bytes = reader.read(0, tensor.size(), scratch);
  std::copy(bytes.begin(), bytes.end(), out.storage.begin());
  return out;
}

}  // namespace repro

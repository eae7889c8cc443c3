#include "repro/tensor/tensor.h"

namespace repro {

std::optional<std::uint64_t> checked_element_count(std::span<const std::int64_t> shape) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 62;
  std::uint64_t count = 1;
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    if (size == 0) {
      empty = true;
      continue;
    }
    if (count > limit / static_cast<std::uint64_t>(size)) return std::nullopt;
    count *= static_cast<std::uint64_t>(size);
  }
  return empty ? 0 : count;
}

std::uint64_t element_count(std::span<const std::int64_t> shape) {
  const auto count = checked_element_count(shape);
  if (!count) throw Error(ErrorKind::bug, "a shape overflows: " + shape_text(shape));
  return *count;
}

std::string shape_text(std::span<const std::int64_t> shape, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += separator;
    out += std::to_string(shape[i]);
  }
  return out;
}

}  // namespace repro

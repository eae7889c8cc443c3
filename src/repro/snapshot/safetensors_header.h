#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repro/tensor/dtype.h"
#include "repro/tensor/tensor.h"

namespace repro {

// Names of element types in the format. `bits` is the size of an element; `dtype` is absent for those
// that are known to the format but not to us.
struct SafetensorsDType {
  std::string_view name;
  std::uint64_t bits;
  std::optional<DType> dtype;
};
const SafetensorsDType* safetensors_dtype(std::string_view name);  // nullptr if unknown
const SafetensorsDType* safetensors_dtype(DType dtype);            // nullptr if the format lacks it

constexpr std::uint64_t max_safetensors_header_bytes = 100'000'000;

// The header as it stands in the JSON, in its order; only types, keys and duplicates are checked.
struct HeaderEntry {
  std::string name;
  std::string dtype;
  Shape shape;
  std::uint64_t begin = 0, end = 0;  // into the data
};
struct Header {
  std::vector<HeaderEntry> entries;
  std::map<std::string, std::string> metadata;
};
// Error{input} with `what` and the tensor's name in front.
Header parse_safetensors_header(std::string_view json, const std::string& what);

}  // namespace repro

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "repro/tensor/dtype.h"

namespace repro {

// A class of storages in persistent ids: what its elements are, and how its length is counted.
struct StorageType {
  std::string_view name;            // "FloatStorage"
  std::optional<DType> dtype;       // nothing: bytes, or elements that cannot be read
  std::uint64_t element_bytes = 1;  // of one that is counted
  // Quantised elements: their name. They are read as the integers that they are stored as.
  std::string_view quantised = {};
};

// Null for what is none.
const StorageType* storage_type_named(std::string_view name);

}  // namespace repro

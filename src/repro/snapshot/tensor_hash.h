#pragma once

#include <string>

#include "repro/tensor/stored_tensor.h"

namespace repro {

// SHA-256 of the row-major little-endian bytes of the elements, whatever the layout; 64 lower-case digits.
// Error{input} as RowMajor.
std::string sha256_of(const StoredTensor& tensor);

}  // namespace repro

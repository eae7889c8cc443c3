#pragma once

#include <cstdint>

#include "repro/compare/pair_statistics.h"
#include "repro/tensor/stored_tensor.h"

namespace repro {

// Elements of a stretch (pair_statistics.h); a stretch is the piece of work that a thread takes.
std::uint64_t stretch_elements(DType dtype);

// Compares one stretch of two tensors of equal dtype and shape, from element `first` on. `equal` tells that
// all its bytes are; finite_pairs is then left 0 (finite_numbers counts them where they are needed).
struct StretchResult {
  PairStatistics statistics;
  bool equal = false;
};
StretchResult compare_stretch(const RowMajor& reference, const RowMajor& candidate, DType dtype,
                              std::uint64_t first, std::uint64_t elements, const Rule& rule);

// Finite numbers among the elements of a stretch; 0 for booleans, all for integers.
std::uint64_t finite_numbers(const RowMajor& tensor, DType dtype, std::uint64_t first,
                             std::uint64_t elements);

}  // namespace repro

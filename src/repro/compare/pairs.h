#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "repro/tensor/stored_tensor.h"

namespace repro {

// One pair of elements, for tables, CSV files and plots; a complex value is one element of two parts.
struct ValuePair {
  std::uint64_t index = 0;  // flat, row-major
  // Shortest decimals that read back to the same bits (formats of 16 and 8 bits: as float32); complex
  // parts joined by ';', here and below; booleans true, false, or the byte's number if it is neither.
  std::string reference, candidate;
  std::string difference;  // reference minus candidate in double, exact for integers; "" for booleans
  std::string ulp;         // "" where absent
  std::string reference_bits, candidate_bits;  // hexadecimal, full width
  bool bits_differ = false;
};

// Visits pairs of elements by increasing index; `only_different` skips equal pairs quickly.
// Precondition: same dtype and shape.
void visit_pairs(const StoredTensor& reference, const StoredTensor& candidate, bool only_different,
                 const std::function<void(const ValuePair&)>& visit);
// One pair, and as the bytes of the elements, little-endian; what an element does not fill is 0.
struct PairBytes {
  std::array<std::byte, 16> reference{}, candidate{};
};
// Precondition of both: same dtype and shape, index < size.
PairBytes pair_bytes_at(const StoredTensor& reference, const StoredTensor& candidate, std::uint64_t index);
ValuePair pair_at(const StoredTensor& reference, const StoredTensor& candidate, std::uint64_t index);
ValuePair pair_of(DType dtype, const PairBytes& bytes, std::uint64_t index);
// One element: its decimal, as in ValuePair, and its bits.
struct ValueText {
  std::string decimal, bits;
};
// The first `limit` elements.
void visit_values(const StoredTensor& tensor, std::uint64_t limit,
                  const std::function<void(std::uint64_t, const ValueText&)>& visit);

// Reference minus candidate of every element as double, for plots, in blocks of consecutive elements:
// integers exactly subtracted, then rounded; booleans 1, 0, -1; complex: the magnitude of the difference;
// 0 where the bits are equal (also for NaN and infinities). Precondition: same dtype and shape.
void visit_differences(const StoredTensor& reference, const StoredTensor& candidate,
                       const std::function<void(std::span<const double>)>& visit);

}  // namespace repro

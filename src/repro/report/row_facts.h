#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "repro/compare/difference.h"

namespace repro {

// One row of a comparison in words. Texts hold raw names and values; whoever writes them into a document
// escapes them.

// Whether values of both sides stand against each other.
bool has_values(const TensorDiff& row);

// "float32" or "float32->float64"; "8x1x3x3" or "3->2x4", dimensions joined by `separator`. Both are ""
// for leaves, and a leaf has no shape.
std::string reference_dtype(const TensorDiff& row);  // a foreign one by its name in the file
std::string candidate_dtype(const TensorDiff& row);
std::string dtype_text(const TensorDiff& row);
std::string shape_text_of(const TensorDiff& row, std::string_view separator);

// The row-major index of element `flat`. Precondition: flat < number of elements.
std::vector<std::uint64_t> index_in(std::span<const std::int64_t> shape, std::uint64_t flat);

// What stands against what where no values do: "float32 8x3", "float32->float16", "int 1 -> int 2", or the
// reason. "" for rows whose values were compared.
std::string what_of(const TensorDiff& row);

std::string words_of(std::string_view name);  // "not_comparable" -> "not comparable"

// The classes of Magnitudes, worst last.
enum class MagnitudeClass { none, signed_zero, last_bit, small, gross, nan };
std::string_view words_for(MagnitudeClass magnitude);  // "signed zero", "last bit", ...; "" for none
MagnitudeClass worst_class(const Magnitudes& magnitudes);
std::uint64_t count_of(const Magnitudes& magnitudes, MagnitudeClass magnitude);
constexpr std::array<MagnitudeClass, 5> magnitude_classes = {MagnitudeClass::signed_zero,
                                                             MagnitudeClass::last_bit, MagnitudeClass::small,
                                                             MagnitudeClass::gross, MagnitudeClass::nan};

// The rows that are not equal, worst first: those without a comparison of values (missing, dtype, shape,
// not_compared, leaf), then those that fail the rule, by their worst class, the largest distance and the
// largest difference; ties in the order of the rows.
std::vector<const TensorDiff*> worst_first(const SnapshotDiff& diff);
// In the order of the rows.
std::vector<const TensorDiff*> differing_rows(const SnapshotDiff& diff);

}  // namespace repro

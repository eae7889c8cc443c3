#include "repro/report/row_facts.h"

#include <algorithm>
#include <tuple>

namespace repro {
namespace {

// Whether the candidate's dtype and shape are facts of their own.
bool has_candidate_layout(const TensorDiff& row) {
  return row.kind == DifferenceKind::dtype || row.kind == DifferenceKind::shape;
}

std::string both(const std::string& left, const std::string& right, std::string_view arrow) {
  return left == right ? left : left + std::string(arrow) + right;
}

std::string leaf_text(const Leaf& leaf) { return leaf.type + " " + leaf.value; }

std::string layout_text(const TensorDiff& row) {
  const std::string dtype = dtype_text(row);
  const std::string shape = shape_text_of(row, "x");
  return shape.empty() ? dtype : dtype + " " + shape;
}

// A distance for the order of rows: steps, or of integers the difference.
double distance_of(const TensorDiff& row) {
  if (row.max_ulp()) return static_cast<double>(*row.max_ulp());
  return row.max_abs().value_or(0);
}

// Smaller is worse.
auto place_of(const TensorDiff& row) {
  const bool values = has_values(row);
  return std::tuple(values ? static_cast<int>(DifferenceKind::equal) : static_cast<int>(row.kind),
                    values && row.within_rule == true ? 1 : 0,
                    -static_cast<int>(worst_class(row.magnitudes())), -distance_of(row),
                    -row.max_abs().value_or(0));
}

}  // namespace

bool has_values(const TensorDiff& row) {
  switch (row.kind) {
    case DifferenceKind::value:
    case DifferenceKind::nan_pattern:
    case DifferenceKind::signed_zero: return true;
    case DifferenceKind::equal: return !row.is_leaf;
    case DifferenceKind::missing_in_reference:
    case DifferenceKind::missing_in_candidate:
    case DifferenceKind::dtype:
    case DifferenceKind::shape:
    case DifferenceKind::not_compared:
    case DifferenceKind::leaf: return false;
  }
  return false;
}

std::string reference_dtype(const TensorDiff& row) {
  return row.foreign_dtype.empty() ? std::string(name_of(row.dtype)) : row.foreign_dtype.text();
}
std::string candidate_dtype(const TensorDiff& row) {
  return row.candidate_foreign_dtype.empty() ? std::string(name_of(row.candidate_dtype))
                                             : row.candidate_foreign_dtype.text();
}

std::string dtype_text(const TensorDiff& row) {
  if (row.is_leaf) return "";
  return has_candidate_layout(row) ? both(reference_dtype(row), candidate_dtype(row), "->")
                                   : reference_dtype(row);
}

std::string shape_text_of(const TensorDiff& row, std::string_view separator) {
  if (row.is_leaf) return "";
  const std::string left = row.reference_leaf ? "" : shape_text(row.shape, separator);
  const std::string right = row.candidate_leaf ? "" : shape_text(row.candidate_shape, separator);
  return has_candidate_layout(row) ? both(left, right, "->") : left;
}

std::vector<std::uint64_t> index_in(std::span<const std::int64_t> shape, std::uint64_t flat) {
  std::vector<std::uint64_t> index(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(shape[i], 1));
    index[i] = flat % size;
    flat /= size;
  }
  return index;
}

std::string what_of(const TensorDiff& row) {
  if (has_values(row)) return "";
  if (row.kind == DifferenceKind::not_compared) return row.reason;
  if (!row.is_leaf) return layout_text(row);
  if (!row.reference_leaf) return row.candidate_leaf ? leaf_text(*row.candidate_leaf) : "";
  if (!row.candidate_leaf) return leaf_text(*row.reference_leaf);
  return both(leaf_text(*row.reference_leaf), leaf_text(*row.candidate_leaf), " -> ");
}

std::string words_of(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string_view words_for(MagnitudeClass magnitude) {
  switch (magnitude) {
    case MagnitudeClass::none: return "";
    case MagnitudeClass::signed_zero: return "signed zero";
    case MagnitudeClass::last_bit: return "last bit";
    case MagnitudeClass::small: return "small";
    case MagnitudeClass::gross: return "gross";
    case MagnitudeClass::nan: return "NaN";
  }
  return "";
}

std::uint64_t count_of(const Magnitudes& magnitudes, MagnitudeClass magnitude) {
  switch (magnitude) {
    case MagnitudeClass::none: return 0;
    case MagnitudeClass::signed_zero: return magnitudes.signed_zero;
    case MagnitudeClass::last_bit: return magnitudes.last_bit;
    case MagnitudeClass::small: return magnitudes.small;
    case MagnitudeClass::gross: return magnitudes.gross;
    case MagnitudeClass::nan: return magnitudes.nan;
  }
  return 0;
}

MagnitudeClass worst_class(const Magnitudes& magnitudes) {
  MagnitudeClass worst = MagnitudeClass::none;
  for (const MagnitudeClass magnitude : magnitude_classes) {
    if (count_of(magnitudes, magnitude) > 0) worst = magnitude;
  }
  return worst;
}

std::vector<const TensorDiff*> differing_rows(const SnapshotDiff& diff) {
  std::vector<const TensorDiff*> rows;
  for (const TensorDiff& row : diff.tensors) {
    if (row.kind != DifferenceKind::equal) rows.push_back(&row);
  }
  return rows;
}

std::vector<const TensorDiff*> worst_first(const SnapshotDiff& diff) {
  std::vector<const TensorDiff*> rows = differing_rows(diff);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TensorDiff* a, const TensorDiff* b) { return place_of(*a) < place_of(*b); });
  return rows;
}

}  // namespace repro

#include "repro/base/error.h"
#include "repro/compare/difference.h"

namespace repro {

std::string_view name_of(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::missing_in_reference: return "missing_in_reference";
    case DifferenceKind::missing_in_candidate: return "missing_in_candidate";
    case DifferenceKind::dtype: return "dtype";
    case DifferenceKind::shape: return "shape";
    case DifferenceKind::not_compared: return "not_compared";
    case DifferenceKind::value: return "value";
    case DifferenceKind::nan_pattern: return "nan_pattern";
    case DifferenceKind::signed_zero: return "signed_zero";
    case DifferenceKind::leaf: return "leaf";
    case DifferenceKind::equal: return "equal";
  }
  throw Error(ErrorKind::bug, "unknown kind of difference");
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::identical: return "identical";
    case Verdict::different: return "different";
    case Verdict::inconclusive: return "inconclusive";
    case Verdict::not_comparable: return "not_comparable";
  }
  throw Error(ErrorKind::bug, "unknown verdict");
}

const ValueDifferences& TensorDiff::values_apart() const {
  static const ValueDifferences none;
  return differences ? *differences : none;
}

std::optional<std::uint64_t> TensorDiff::first_different() const {
  return differences ? std::optional(differences->first_different) : std::nullopt;
}

std::optional<ValuePair> TensorDiff::first_pair() const {
  if (!differences) return std::nullopt;
  return pair_of(dtype, differences->first_pair, differences->first_different);
}

std::optional<double> TensorDiff::size_of_differences(double ValueDifferences::*size) const {
  return has_finite_pairs ? std::optional(values_apart().*size) : std::nullopt;
}

std::optional<std::uint64_t> TensorDiff::max_ulp() const {
  if (!has_finite_pairs || !(is_floating(dtype) || is_complex(dtype))) return std::nullopt;
  return values_apart().max_ulp;
}

}  // namespace repro

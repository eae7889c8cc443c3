#include "repro/base/error.h"
#include "repro/compare/diff.h"

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

}  // namespace repro

#include <cmath>

#include "repro/base/sha256.h"
#include "repro/compare/diff.h"
#include "repro/compare/statistics.h"

namespace repro {
namespace {

DifferenceKind kind_of(const PairStatistics& statistics) {
  if (statistics.value_differences > 0) return DifferenceKind::value;
  if (statistics.nan_mismatches > 0) return DifferenceKind::nan_pattern;
  if (statistics.sign_of_zero_mismatches > 0) return DifferenceKind::signed_zero;
  return DifferenceKind::equal;
}

void fill_in(TensorDiff& diff, const PairStatistics& statistics) {
  diff.kind = kind_of(statistics);
  diff.within_rule = statistics.within_rule;
  diff.different = statistics.different;
  diff.first_different = statistics.first_different;
  diff.nan_mismatches = statistics.nan_mismatches;
  diff.sign_of_zero_mismatches = statistics.sign_of_zero_mismatches;
  diff.ulp_histogram = statistics.ulp_histogram;
  if (statistics.finite_pairs == 0) return;
  const auto pairs = static_cast<double>(statistics.finite_pairs);
  diff.max_abs = statistics.max_abs;
  diff.mean_abs = statistics.sum_abs / pairs;
  diff.rms = std::sqrt(statistics.sum_squares / pairs);
  diff.max_relative = statistics.max_relative;
  if (is_floating(diff.dtype) || is_complex(diff.dtype)) diff.max_ulp = statistics.max_ulp;
}

}  // namespace

TensorDiff diff_tensors(std::string name, const TensorView& reference, const TensorView& candidate,
                        const Rule& rule, bool with_hashes) {
  TensorDiff diff;
  diff.name = std::move(name);
  diff.dtype = reference.dtype;
  diff.shape = reference.shape;
  diff.candidate_dtype = candidate.dtype;
  diff.candidate_shape = candidate.shape;
  if (with_hashes) {
    diff.reference_sha256 = sha256_hex(reference.bytes);
    diff.candidate_sha256 = sha256_hex(candidate.bytes);
  }
  if (reference.dtype != candidate.dtype || reference.shape != candidate.shape) {
    diff.kind = reference.dtype != candidate.dtype ? DifferenceKind::dtype : DifferenceKind::shape;
    diff.within_rule = false;
    return diff;
  }
  if (reference.bytes.size() != candidate.bytes.size() ||
      reference.bytes.size() != element_count(reference.shape) * size_of(reference.dtype)) {
    throw Error(ErrorKind::bug, "tensor views whose bytes do not fit their shape");
  }
  diff.values = reference.size();
  PairStatistics statistics;
  with_format(reference.dtype, [&](auto format) {
    PairComparer<decltype(format)>(rule, statistics).compare(reference.bytes, candidate.bytes);
  });
  fill_in(diff, statistics);
  return diff;
}

}  // namespace repro

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/compare/pairs.h"
#include "repro/snapshot/item.h"

namespace repro {

// What is true of one tensor, or of one leaf, the first that applies. A bitwise fact under every rule.
enum class DifferenceKind : std::uint8_t {
  missing_in_reference,
  missing_in_candidate,
  dtype,
  shape,
  not_compared,
  value,
  nan_pattern,
  signed_zero,
  leaf,  // an entry that is no tensor, with another type or value
  equal
};
std::string_view name_of(DifferenceKind kind);

enum class Verdict { identical, different, inconclusive, not_comparable };
std::string_view name_of(Verdict verdict);

// ULP distances of the differing pairs of numbers by powers of two: bin b counts distances in
// [2^b, 2^(b+1)); bin 0 is a distance of exactly 1. As long as its last count that is not 0; empty where
// no distance was counted.
using UlpHistogram = std::vector<std::uint64_t>;

// The pairs of numbers that differ, by how much. Integers count by their distance.
struct Magnitudes {
  std::uint64_t signed_zero = 0;  // -0 against +0
  std::uint64_t last_bit = 0;     // 1 ULP
  std::uint64_t small = 0;        // 2 to 2^10 ULP
  std::uint64_t gross = 0;        // more, an infinity against something else, booleans
  std::uint64_t nan = 0;          // NaN on one side, or other NaN bits
};

// How the values of two tensors differ; of tensors of which some element does.
struct ValueDifferences {
  std::uint64_t first_different = 0;  // flat index
  PairBytes first_pair;               // the elements there
  double max_abs = 0, mean_abs = 0, rms = 0, max_relative = 0;
  std::uint64_t max_ulp = 0;
  Magnitudes magnitudes;
  SharedArray<std::uint64_t> ulp_histogram;  // as UlpHistogram
};

// Reference against candidate, element by element in row-major logical order whatever the strides. All
// statistics run over what the contract says and are computed in an order that depends on neither threads
// nor SIMD width (pair_statistics.h). Comparisons have many rows, most of them equal: what few rows have is
// on the heap, and names and shapes are shared with the items that were compared.
struct TensorDiff {
  SharedText name;
  Role role = Role::none;
  DifferenceKind kind = DifferenceKind::equal;
  std::optional<bool> within_rule;  // absent for not_compared
  DType dtype = DType::float32;     // the reference's; the candidate's for missing_in_reference
  DType candidate_dtype = DType::float32;
  bool is_leaf = false;           // no tensor on any side that has it
  bool has_finite_pairs = false;  // some pair of numbers that were compared is finite
  RareText reason;                // not_compared: why
  Dimensions shape, candidate_shape;
  // Set where a side's element type has no DType; it then stands for dtype or candidate_dtype. A leaf
  // against a tensor has the leaf's type there.
  RareText foreign_dtype, candidate_foreign_dtype;
  Boxed<Leaf> reference_leaf, candidate_leaf;   // of leaves
  RareText alias_of;                            // tied on both sides to this earlier row
  std::uint64_t values = 0;                     // elements compared; 0 where nothing was
  std::uint64_t different = 0;                  // elements whose bits differ
  Boxed<ValueDifferences> differences;          // where different > 0
  RareText reference_sha256, candidate_sha256;  // of the row-major bytes; "" where not computed

  std::optional<std::uint64_t> first_different() const;  // flat index
  std::optional<ValuePair> first_pair() const;           // the values there
  // Absent without finite pairs.
  std::optional<double> max_abs() const { return size_of_differences(&ValueDifferences::max_abs); }
  std::optional<double> mean_abs() const { return size_of_differences(&ValueDifferences::mean_abs); }
  std::optional<double> rms() const { return size_of_differences(&ValueDifferences::rms); }
  std::optional<double> max_relative() const { return size_of_differences(&ValueDifferences::max_relative); }
  std::optional<std::uint64_t> max_ulp() const;  // absent for integers and booleans as well
  const Magnitudes& magnitudes() const { return values_apart().magnitudes; }
  const SharedArray<std::uint64_t>& ulp_histogram() const { return values_apart().ulp_histogram; }
  std::uint64_t nan_mismatches() const { return magnitudes().nan; }
  std::uint64_t sign_of_zero_mismatches() const { return magnitudes().signed_zero; }

 private:
  const ValueDifferences& values_apart() const;  // all zero where no value differs
  std::optional<double> size_of_differences(double ValueDifferences::*size) const;
};

struct SnapshotDiff {
  std::vector<TensorDiff> tensors;     // reference order, then missing_in_reference in candidate order
  std::uint64_t tensors_compared = 0;  // rows whose values were compared; tied names count once
  std::uint64_t values_compared = 0;
  std::uint64_t values_different = 0;
  std::uint64_t leaves_compared = 0;  // leaves with the same name on both sides
  std::uint64_t leaves_left_out = 0;  // because one side cannot hold them, or was not asked for
  std::uint64_t ignored = 0;          // tensors and leaves left out by only, ignore or scope
  Verdict verdict = Verdict::inconclusive;
};

// The verdict of these rows, the first that applies: no name on both sides: inconclusive; a missing name,
// another dtype or shape, values that fail the rule, a leaf that differs: different; a row that could not be
// compared, or not one value compared: inconclusive; else identical.
Verdict verdict_of(const std::vector<TensorDiff>& rows);

}  // namespace repro

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/compare/pairs.h"
#include "repro/snapshot/item.h"

namespace repro {

// What is true of one tensor, or of one leaf, the first that applies. A bitwise fact under every rule.
enum class DifferenceKind {
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

// Reference against candidate, element by element in row-major logical order whatever the strides. All
// statistics run over what the contract says and are computed in an order that depends on neither threads
// nor SIMD width (pair_statistics.h).
struct TensorDiff {
  std::string name;
  Role role = Role::none;
  DifferenceKind kind = DifferenceKind::equal;
  std::optional<bool> within_rule;  // absent for not_compared
  RareText reason;                  // not_compared: why
  DType dtype = DType::float32;     // the reference's; the candidate's for missing_in_reference
  Shape shape;
  DType candidate_dtype = DType::float32;
  Shape candidate_shape;
  // Set where a side's element type has no DType; it then stands for dtype or candidate_dtype. A leaf
  // against a tensor has the leaf's type there.
  RareText foreign_dtype, candidate_foreign_dtype;
  bool is_leaf = false;                                        // no tensor on any side that has it
  Boxed<Leaf> reference_leaf, candidate_leaf;                  // of leaves
  RareText alias_of;                                           // tied on both sides to this earlier row
  std::uint64_t values = 0;                                    // elements compared; 0 where nothing was
  std::uint64_t different = 0;                                 // elements whose bits differ
  std::optional<std::uint64_t> first_different;                // flat index
  std::shared_ptr<const ValuePair> first_pair;                 // the values there
  std::optional<double> max_abs, mean_abs, rms, max_relative;  // absent over no pair
  std::optional<std::uint64_t> max_ulp;       // absent for integers, booleans, and over no pair
  std::uint64_t nan_mismatches = 0;           // pairs with NaN on one side, or other NaN bits
  std::uint64_t sign_of_zero_mismatches = 0;  // -0 against +0
  Magnitudes magnitudes;
  UlpHistogram ulp_histogram;
  RareText reference_sha256, candidate_sha256;  // of the row-major bytes; "" where not computed
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

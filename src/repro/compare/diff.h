#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "repro/compare/rule.h"
#include "repro/snapshot/role.h"
#include "repro/tensor/tensor.h"

namespace repro {

// What is true of one tensor, the first that applies. A bitwise fact under every rule.
enum class DifferenceKind {
  missing_in_reference,
  missing_in_candidate,
  dtype,
  shape,
  not_compared,
  value,
  nan_pattern,
  signed_zero,
  equal
};
std::string_view name_of(DifferenceKind kind);

enum class Verdict { identical, different, inconclusive, not_comparable };
std::string_view name_of(Verdict verdict);

// ULP distances of the differing pairs of numbers by powers of two: bin b counts distances in
// [2^b, 2^(b+1)); bin 0 is a distance of exactly 1.
using UlpHistogram = std::array<std::uint64_t, 64>;

// Reference against candidate, element by element in row-major order. All statistics run over what the
// contract says and are computed in an order that depends on neither threads nor SIMD width.
struct TensorDiff {
  std::string name;
  Role role = Role::none;
  DifferenceKind kind = DifferenceKind::equal;
  std::optional<bool> within_rule;  // absent for not_compared
  std::string reason;               // not_compared: why
  DType dtype = DType::float32;     // the reference's; the candidate's for missing_in_reference
  Shape shape;
  DType candidate_dtype = DType::float32;
  Shape candidate_shape;
  // Set where a side's element type has no DType; it then stands for dtype or candidate_dtype.
  std::string foreign_dtype, candidate_foreign_dtype;
  std::uint64_t values = 0;                                    // elements compared; 0 where nothing was
  std::uint64_t different = 0;                                 // elements whose bits differ
  std::optional<std::uint64_t> first_different;                // flat index
  std::optional<double> max_abs, mean_abs, rms, max_relative;  // absent over no pair
  std::optional<std::uint64_t> max_ulp;       // absent for integers, booleans, and over no pair
  std::uint64_t nan_mismatches = 0;           // pairs with NaN on one side, or other NaN bits
  std::uint64_t sign_of_zero_mismatches = 0;  // -0 against +0
  UlpHistogram ulp_histogram{};
  std::string reference_sha256, candidate_sha256;  // of the row-major bytes; "" where not computed
};

struct SnapshotDiff {
  std::vector<TensorDiff> tensors;     // reference order, then missing_in_reference in candidate order
  std::uint64_t tensors_compared = 0;  // rows whose values were compared
  std::uint64_t values_compared = 0;
  std::uint64_t values_different = 0;
  std::uint64_t ignored = 0;  // tensors left out by only, ignore or scope
  Verdict verdict = Verdict::inconclusive;
};

// The verdict of these rows, the first that applies: no name on both sides: inconclusive; a missing name,
// another dtype or shape, values that fail the rule: different; a row that could not be compared, or not
// one value compared: inconclusive; else identical.
Verdict verdict_of(const std::vector<TensorDiff>& tensors);

// One named tensor of a side, with its role. Where it cannot be read, `not_compared_reason` says why; then
// `tensor` has only a shape, and `foreign_dtype` is the element type's name in the file.
struct Item {
  std::string name;
  TensorView tensor;
  Role role = Role::none;
  std::string not_compared_reason;
  std::string foreign_dtype;
};

// What counts: names that match one of the globs `only` (all if empty) and none of `ignore`, and the
// scope: learnables keeps Role::learnable only, buffers keeps Role::buffer only; a tensor without a role
// is in neither.
struct Filter {
  std::vector<std::string> only, ignore;
  enum class Scope { all, learnables, buffers } scope = Scope::all;
  bool admits(std::string_view name, Role role) const;
};

// Statistics of two tensors of any dtypes and shapes. `with_hashes` also fills in the SHA-256. Complex
// elements count as two numbers in everything but `values`, `different` and `first_different`. Booleans
// have no statistics; bytes other than 0 and 1 are values of their own. Differences of integers are taken
// exactly, then rounded to double. max_abs, mean_abs and rms are infinite where double overflows; rms is
// that of the rounded squares. Order of summation: statistics.h.
TensorDiff diff_tensors(std::string name, const TensorView& reference, const TensorView& candidate,
                        const Rule& rule, bool with_hashes);

// Names are matched exactly; a name that occurs twice on one side is Error{input}. The role of a row is
// the reference's, or the candidate's where the reference has none; the filter goes by that.
SnapshotDiff diff_snapshots(const std::vector<Item>& reference, const std::vector<Item>& candidate,
                            const Rule& rule, const Filter& filter, bool with_hashes);

// One pair of elements, for CSV files and plots. Visits index 0, 1, ... in order; a complex value is
// one element of two parts.
struct ValuePair {
  std::uint64_t index = 0;
  // Shortest decimals that read back to the same bits (formats of 16 and 8 bits: as float32); complex
  // parts joined by ';', here and below; booleans true, false, or the byte's number if it is neither.
  std::string reference, candidate;
  std::string difference;  // reference minus candidate in double, exact for integers; "" for booleans
  std::string ulp;         // "" where absent
  std::string reference_bits, candidate_bits;  // hexadecimal, full width
  bool bits_differ = false;
};
// Precondition: same dtype and shape. `only_different` skips equal pairs quickly.
void visit_pairs(const TensorView& reference, const TensorView& candidate, bool only_different,
                 const std::function<void(const ValuePair&)>& visit);

// Reference minus candidate of every element as double, for plots: integers exactly subtracted, then
// rounded; booleans 1, 0, -1; complex: the magnitude of the difference.
// Precondition: same dtype and shape.
std::vector<double> differences(const TensorView& reference, const TensorView& candidate);

}  // namespace repro

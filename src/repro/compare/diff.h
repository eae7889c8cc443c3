#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/compare/difference.h"
#include "repro/compare/rule.h"
#include "repro/snapshot/item.h"

namespace repro {

// What counts: names that match one of the globs `only` (all if empty) and none of `ignore`, and the
// scope: learnables keeps Role::learnable only, buffers keeps Role::buffer only; a tensor without a role
// is in neither.
struct Filter {
  std::vector<std::string> only, ignore;
  enum class Scope { all, learnables, buffers } scope = Scope::all;
  bool admits(std::string_view name, Role role) const;
};

// How two sides are compared.
struct DiffOptions {
  Rule rule = {};
  Filter filter = {};
  bool with_hashes = false;  // also the SHA-256 of every tensor
  bool with_leaves = true;   // false: leaves are counted, not compared
  unsigned threads = 1;      // for large tensors; changes no bit of the result
};

// Statistics of two tensors of any dtypes and shapes. Complex elements count as two numbers in everything
// but `values`, `different` and `first_different`. Booleans have no statistics; bytes other than 0 and 1 are
// values of their own. Differences of integers are taken exactly, then rounded to double. max_abs, mean_abs
// and rms are infinite where double overflows; rms is that of the rounded squares. Error{input} if the bytes
// of a side turn out to be damaged when they are fetched.
TensorDiff diff_tensors(SharedText name, const StoredTensor& reference, const StoredTensor& candidate,
                        const DiffOptions& options);

// Names are matched exactly; a name that occurs twice on one side is Error{input}. The role of a row is
// the reference's, or the candidate's where the reference has none; the filter goes by that. A row that is
// tied to the same earlier name on both sides has that row's facts and is not counted again.
// `progress`, if given, is called with the bytes of each tensor that has been compared.
SnapshotDiff diff_snapshots(const std::vector<Item>& reference, const std::vector<Item>& candidate,
                            const DiffOptions& options,
                            const std::function<void(std::uint64_t)>& progress = {});

}  // namespace repro

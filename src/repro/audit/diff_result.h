#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repro/compare/diff.h"

namespace repro {

// The two tensors of a row whose values were compared; null where they were not.
struct TensorPair {
  const StoredTensor* reference = nullptr;
  const StoredTensor* candidate = nullptr;
};

// One side of a comparison: a checkpoint, or a run of an audit.
struct DiffSide {
  std::string name;                  // as the user gave it; raw
  std::string format;                // "safetensors", "pytorch", "run", ...
  std::uint64_t tensors = 0;         // items that are tensors
  std::vector<std::string> remarks;  // facts about the container, safe to show
};

// Candidate against reference, as the reports of `diff` show it.
struct DiffComparison {
  DiffSide reference, candidate;
  SnapshotDiff diff;
  std::vector<std::string> hints;  // what the user may want to try, such as --strip-prefix; safe to show
  // Of a row of `diff` by its name, for CSV files and plots; valid as long as the result. Reading values may
  // throw Error{input}.
  std::function<TensorPair(const TensorDiff&)> tensors;
};

// What `repro-train diff` found: one comparison, or several, each with the same or its own reference.
struct DiffResult {
  Rule rule;
  Filter filter;
  // different if any comparison is, else inconclusive if any is, else identical.
  Verdict verdict = Verdict::inconclusive;
  std::vector<DiffComparison> comparisons;  // at least one
  // With three or more files: "x.pt is the odd one out: …" and the like; safe to show.
  std::vector<std::string> notes;
  // Error{input} if a file has changed since it was opened; to be called again after `tensors` was used.
  std::function<void()> check_unchanged;
  // "verdict: identical (15 tensors, 13633 values)", the last line of the text.
  std::string verdict_line;
};

}  // namespace repro

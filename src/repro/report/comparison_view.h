#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "repro/audit/diff_result.h"
#include "repro/audit/result.h"

namespace repro {

// One comparison as tables, plots and files show it, whether an audit or `diff` made it. Refers to what it
// is made of, which must outlive it.
struct ComparisonView {
  std::string title;     // "b.pt against a.pt"; raw
  std::string subtract;  // "a.pt minus b.pt"; raw
  std::string group;     // comparisons of one group are summed up together
  const SnapshotDiff* diff = nullptr;
  bool worst_first = false;  // the order in which differing rows are shown; else that of `diff`
  // What the sums over a comparison count.
  std::function<bool(const TensorDiff&)> counts;
  // The two tensors of a row, both null unless their values were compared. May throw Error{input}.
  std::function<TensorPair(const TensorDiff&)> tensors;
};

// The files of an audit's runs are opened when first asked for, and stay open as long as the view.
ComparisonView view_of(const AuditResult& audit, const Comparison& comparison);
std::vector<ComparisonView> views_of(const AuditResult& audit);
ComparisonView view_of(const DiffComparison& comparison);
std::vector<ComparisonView> views_of(const DiffResult& result);

// The rows that are not equal, in the order in which this comparison shows them.
std::vector<const TensorDiff*> shown_rows(const ComparisonView& view);
// The first learnable weight tensor, else the first learnable, "" if there is none.
std::string first_learnable(std::span<const ComparisonView> views);

// Gives memory back that reading values took: files that had to be inflated are read again when needed.
class TensorUse {
 public:
  explicit TensorUse(TensorPair pair) : pair_(pair) {}
  TensorUse(const TensorUse&) = delete;
  TensorUse& operator=(const TensorUse&) = delete;
  ~TensorUse();
  explicit operator bool() const { return pair_.reference != nullptr && pair_.candidate != nullptr; }
  const TensorPair& pair() const { return pair_; }

 private:
  TensorPair pair_;
};

}  // namespace repro

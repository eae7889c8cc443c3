#include "repro/report/comparison_view.h"

#include "repro/report/facts.h"
#include "repro/report/row_facts.h"
#include "repro/report/run_tensors.h"

namespace repro {

ComparisonView view_of(const AuditResult& audit, const Comparison& comparison) {
  ComparisonView view;
  view.title = pair_text(comparison);
  view.subtract = run_name(comparison.group, comparison.reference) + " minus " +
                  run_name(comparison.group, comparison.candidate);
  view.group = comparison.group;
  view.diff = &comparison.diff;
  view.counts = [&filter = audit.filter](const TensorDiff& row) { return is_counted(row.role, filter); };
  view.tensors = [&audit, &comparison,
                  files = std::shared_ptr<ComparisonTensors>()](const TensorDiff& row) mutable {
    if (!files) files = std::make_shared<ComparisonTensors>(audit, comparison);
    return files->find(row);
  };
  return view;
}

std::vector<ComparisonView> views_of(const AuditResult& audit) {
  std::vector<ComparisonView> views;
  for (const Comparison& comparison : audit.comparisons) views.push_back(view_of(audit, comparison));
  return views;
}

ComparisonView view_of(const DiffComparison& comparison) {
  ComparisonView view;
  view.title = comparison.candidate.name + " against " + comparison.reference.name;
  view.subtract = comparison.reference.name + " minus " + comparison.candidate.name;
  view.group = view.title;
  view.diff = &comparison.diff;
  view.worst_first = true;
  view.counts = [](const TensorDiff& row) { return row.alias_of.empty(); };
  view.tensors = [&comparison](const TensorDiff& row) {
    return has_values(row) && comparison.tensors ? comparison.tensors(row) : TensorPair{};
  };
  return view;
}

std::vector<ComparisonView> views_of(const DiffResult& result) {
  std::vector<ComparisonView> views;
  for (const DiffComparison& comparison : result.comparisons) views.push_back(view_of(comparison));
  return views;
}

std::vector<const TensorDiff*> shown_rows(const ComparisonView& view) {
  return view.worst_first ? worst_first(*view.diff) : differing_rows(*view.diff);
}

std::string first_learnable(std::span<const ComparisonView> views) {
  std::string first;
  for (const ComparisonView& view : views) {
    for (const TensorDiff& row : view.diff->tensors) {
      if (row.role != Role::learnable) continue;
      if (row.name.view().ends_with("weight")) return row.name;
      if (first.empty()) first = row.name;
    }
  }
  return first;
}

TensorUse::~TensorUse() {
  for (const StoredTensor* tensor : {pair_.reference, pair_.candidate}) {
    if (tensor != nullptr && tensor->storage) tensor->storage->release();
  }
}

}  // namespace repro

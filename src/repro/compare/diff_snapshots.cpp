#include <algorithm>
#include <unordered_map>

#include "repro/base/text.h"
#include "repro/compare/diff.h"

namespace repro {
namespace {

using Index = std::unordered_map<std::string_view, const Item*>;

Index index_by_name(const std::vector<Item>& items, const char* side) {
  Index index;
  index.reserve(items.size());
  for (const Item& item : items) {
    if (!index.emplace(item.name, &item).second) {
      throw Error(ErrorKind::input, std::string(side) + ": the name '" + displayable(item.name) +
                                        "' occurs twice, names must differ");
    }
  }
  return index;
}

const Item* find(const Index& index, std::string_view name) {
  const auto at = index.find(name);
  return at == index.end() ? nullptr : at->second;
}

Role role_of(const Item* reference, const Item* candidate) {
  if (reference != nullptr && reference->role != Role::none) return reference->role;
  return candidate != nullptr ? candidate->role : Role::none;
}

// A row without a comparison of values: dtypes and shapes of those sides that are there.
TensorDiff row_of(const Item* reference, const Item* candidate) {
  TensorDiff row;
  const Item& left = reference != nullptr ? *reference : *candidate;
  const Item& right = candidate != nullptr ? *candidate : *reference;
  row.name = left.name;
  row.dtype = left.tensor.dtype;
  row.shape = left.tensor.shape;
  row.foreign_dtype = left.foreign_dtype;
  row.candidate_dtype = right.tensor.dtype;
  row.candidate_shape = right.tensor.shape;
  row.candidate_foreign_dtype = right.foreign_dtype;
  return row;
}

TensorDiff diff_missing(const Item* reference, const Item* candidate) {
  TensorDiff row = row_of(reference, candidate);
  row.kind =
      reference == nullptr ? DifferenceKind::missing_in_reference : DifferenceKind::missing_in_candidate;
  row.within_rule = false;
  return row;
}

// At least one side cannot be read; dtype and shape may still be known to differ.
TensorDiff diff_unreadable(const Item& reference, const Item& candidate) {
  TensorDiff row = row_of(&reference, &candidate);
  const bool known_dtypes = (reference.not_compared_reason.empty() || !reference.foreign_dtype.empty()) &&
                            (candidate.not_compared_reason.empty() || !candidate.foreign_dtype.empty());
  const bool same_dtype =
      reference.foreign_dtype == candidate.foreign_dtype &&
      (!reference.foreign_dtype.empty() || reference.tensor.dtype == candidate.tensor.dtype);
  if (known_dtypes && !same_dtype) {
    row.kind = DifferenceKind::dtype;
    row.within_rule = false;
  } else if (known_dtypes && reference.tensor.shape != candidate.tensor.shape) {
    row.kind = DifferenceKind::shape;
    row.within_rule = false;
  } else {
    row.kind = DifferenceKind::not_compared;
    row.reason =
        reference.not_compared_reason.empty() ? candidate.not_compared_reason : reference.not_compared_reason;
  }
  return row;
}

TensorDiff diff_items(const Item* reference, const Item* candidate, const Rule& rule, bool with_hashes) {
  if (reference == nullptr || candidate == nullptr) return diff_missing(reference, candidate);
  if (!reference->not_compared_reason.empty() || !candidate->not_compared_reason.empty()) {
    return diff_unreadable(*reference, *candidate);
  }
  return diff_tensors(reference->name, reference->tensor, candidate->tensor, rule, with_hashes);
}

enum class Stage { missing, unlike, not_compared, compared };

Stage stage_of(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::missing_in_reference:
    case DifferenceKind::missing_in_candidate: return Stage::missing;
    case DifferenceKind::dtype:
    case DifferenceKind::shape: return Stage::unlike;
    case DifferenceKind::not_compared: return Stage::not_compared;
    case DifferenceKind::value:
    case DifferenceKind::nan_pattern:
    case DifferenceKind::signed_zero:
    case DifferenceKind::equal: return Stage::compared;
  }
  throw Error(ErrorKind::bug, "unknown kind of difference");
}

}  // namespace

Verdict verdict_of(const std::vector<TensorDiff>& tensors) {
  bool common = false, fails = false, not_compared = false;
  std::uint64_t values = 0;
  for (const TensorDiff& row : tensors) {
    const Stage stage = stage_of(row.kind);
    if (stage != Stage::missing) common = true;
    if (stage == Stage::missing || stage == Stage::unlike) fails = true;
    if (stage == Stage::not_compared) not_compared = true;
    if (stage == Stage::compared) {
      values += row.values;
      if (row.within_rule != true) fails = true;
    }
  }
  if (!common) return Verdict::inconclusive;
  if (fails) return Verdict::different;
  return not_compared || values == 0 ? Verdict::inconclusive : Verdict::identical;
}

bool Filter::admits(std::string_view name, Role role) const {
  const auto matches = [&](const std::string& pattern) { return glob_matches(pattern, name); };
  if (!only.empty() && std::none_of(only.begin(), only.end(), matches)) return false;
  if (std::any_of(ignore.begin(), ignore.end(), matches)) return false;
  switch (scope) {
    case Scope::all: return true;
    case Scope::learnables: return role == Role::learnable;
    case Scope::buffers: return role == Role::buffer;
  }
  throw Error(ErrorKind::bug, "unknown scope");
}

SnapshotDiff diff_snapshots(const std::vector<Item>& reference, const std::vector<Item>& candidate,
                            const Rule& rule, const Filter& filter, bool with_hashes) {
  const Index references = index_by_name(reference, "reference");
  const Index candidates = index_by_name(candidate, "candidate");
  SnapshotDiff diff;
  const auto add = [&](const Item* left, const Item* right) {
    const Role role = role_of(left, right);
    if (!filter.admits(left != nullptr ? left->name : right->name, role)) {
      ++diff.ignored;
      return;
    }
    TensorDiff row = diff_items(left, right, rule, with_hashes);
    row.role = role;
    if (stage_of(row.kind) == Stage::compared) {
      ++diff.tensors_compared;
      diff.values_compared += row.values;
      diff.values_different += row.different;
    }
    diff.tensors.push_back(std::move(row));
  };
  for (const Item& item : reference) add(&item, find(candidates, item.name));
  for (const Item& item : candidate) {
    if (find(references, item.name) == nullptr) add(nullptr, &item);
  }
  diff.verdict = verdict_of(diff.tensors);
  return diff;
}

}  // namespace repro

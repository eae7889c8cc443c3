#include <algorithm>
#include <optional>
#include <unordered_map>

#include "repro/base/repeated.h"
#include "repro/base/text.h"
#include "repro/compare/diff.h"

namespace repro {
namespace {

void check_unique(const std::vector<Item>& items, const char* side) {
  if (const auto twice = repeated_name(items, &Item::name)) {
    throw Error(ErrorKind::input, std::string(side) + ": the name '" + displayable(*twice) +
                                      "' occurs twice, names must differ");
  }
}

// Pairs the items of two sides by name. Sides in the same order, the usual case, need no table.
class Pairing {
 public:
  Pairing(const std::vector<Item>& reference, const std::vector<Item>& candidate)
      : candidate_(candidate), paired_(candidate.size()) {
    check_unique(reference, "reference");
    check_unique(candidate, "candidate");
  }

  // The candidate's item of that name, null if there is none. `position` is where it may well be.
  const Item* find(std::string_view name, std::size_t position) {
    if (position < candidate_.size() && candidate_[position].name == name) return take(position);
    if (table_.empty()) {
      table_.reserve(candidate_.size());
      for (std::size_t i = 0; i < candidate_.size(); ++i) table_.emplace(candidate_[i].name, i);
    }
    const auto at = table_.find(name);
    return at == table_.end() ? nullptr : take(at->second);
  }
  bool is_paired(std::size_t position) const { return paired_[position]; }

 private:
  const Item* take(std::size_t position) {
    paired_[position] = true;
    return &candidate_[position];
  }

  const std::vector<Item>& candidate_;
  std::vector<bool> paired_;
  std::unordered_map<std::string_view, std::size_t> table_;
};

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
  row.is_leaf = left.leaf.has_value() && right.leaf.has_value();
  if (reference != nullptr) row.reference_leaf = reference->leaf;
  if (candidate != nullptr) row.candidate_leaf = candidate->leaf;
  if (left.leaf) row.foreign_dtype = left.leaf->type;
  if (right.leaf) row.candidate_foreign_dtype = right.leaf->type;
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

// A leaf against a leaf, or against a tensor: then the leaf's type stands where a tensor has its dtype.
TensorDiff diff_leaves(const Item& reference, const Item& candidate) {
  TensorDiff row = row_of(&reference, &candidate);
  if (row.is_leaf) {
    row.kind = reference.leaf == candidate.leaf ? DifferenceKind::equal : DifferenceKind::leaf;
  } else {
    row.kind = DifferenceKind::dtype;
  }
  row.within_rule = row.kind == DifferenceKind::equal;
  return row;
}

TensorDiff diff_items(const Item* reference, const Item* candidate, const DiffOptions& options) {
  if (reference == nullptr || candidate == nullptr) return diff_missing(reference, candidate);
  if (reference->leaf || candidate->leaf) return diff_leaves(*reference, *candidate);
  if (!reference->not_compared_reason.empty() || !candidate->not_compared_reason.empty()) {
    return diff_unreadable(*reference, *candidate);
  }
  return diff_tensors(reference->name, reference->tensor, candidate->tensor, options);
}

enum class Stage { missing, unlike, not_compared, compared, leaf };

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
    case DifferenceKind::leaf: return Stage::leaf;
  }
  throw Error(ErrorKind::bug, "unknown kind of difference");
}

// Leaves that are equal say nothing about values.
bool has_compared_values(const TensorDiff& row) {
  return stage_of(row.kind) == Stage::compared && !row.is_leaf;
}

// The rows of two sides, in order.
class Rows {
 public:
  Rows(const std::vector<Item>& reference, const DiffOptions& options,
       const std::function<void(std::uint64_t)>& progress)
      : options_(options), progress_(progress) {
    diff_.tensors.reserve(reference.size());
    for (const Item& item : reference) {
      if (!item.alias_of.empty()) rows_of_targets_.emplace(item.alias_of.text(), no_row);
    }
  }

  void add(const Item* reference, const Item* candidate) {
    const Role role = role_of(reference, candidate);
    const Item& item = reference != nullptr ? *reference : *candidate;
    if (!options_.filter.admits(item.name, role)) {
      ++diff_.ignored;
      return;
    }
    const bool leaf = (reference == nullptr || reference->leaf) && (candidate == nullptr || candidate->leaf);
    if (leaf && !options_.with_leaves) {
      ++diff_.leaves_left_out;
      return;
    }
    TensorDiff row = tied_row(reference, candidate).value_or(TensorDiff{});
    if (row.alias_of.empty()) row = diff_items(reference, candidate, options_);
    row.role = role;
    count(row, reference != nullptr && candidate != nullptr);
    for (const Item* side : {reference, candidate}) {
      if (side != nullptr) finish_with(*side, row);
    }
    if (reference != nullptr && candidate != nullptr && !rows_of_targets_.empty()) {
      const auto target = rows_of_targets_.find(item.name);
      if (target != rows_of_targets_.end()) target->second = diff_.tensors.size();
    }
    diff_.tensors.push_back(std::move(row));
  }

  SnapshotDiff finish() {
    diff_.verdict = verdict_of(diff_.tensors);
    return std::move(diff_);
  }

 private:
  // Of a name that both sides tie to the same earlier name.
  std::optional<TensorDiff> tied_row(const Item* reference, const Item* candidate) const {
    if (reference == nullptr || candidate == nullptr || reference->alias_of.empty() ||
        reference->alias_of != candidate->alias_of) {
      return std::nullopt;
    }
    const auto at = rows_of_targets_.find(reference->alias_of.text());
    if (at == rows_of_targets_.end() || at->second == no_row) return std::nullopt;  // left out by the filter
    TensorDiff row = diff_.tensors[at->second];
    row.name = reference->name;
    row.alias_of = reference->alias_of;
    return row;
  }

  void count(const TensorDiff& row, bool on_both_sides) {
    if (row.is_leaf && on_both_sides) ++diff_.leaves_compared;
    if (!has_compared_values(row) || !row.alias_of.empty()) return;
    ++diff_.tensors_compared;
    diff_.values_compared += row.values;
    diff_.values_different += row.different;
  }

  // Values that nobody looked at are fetched all the same: damage in a file that the user named must not
  // pass for a mere difference of shapes.
  void finish_with(const Item& item, const TensorDiff& row) const {
    if (item.leaf || !item.not_compared_reason.empty()) return;
    if (item.tensor.storage) {
      if (!has_compared_values(row)) static_cast<void>(item.tensor.storage->bytes());
      item.tensor.storage->release();
    }
    if (progress_) progress_(item.tensor.size_bytes());
  }

  const DiffOptions& options_;
  const std::function<void(std::uint64_t)>& progress_;
  SnapshotDiff diff_;
  // Rows of the names to which others are tied.
  static constexpr std::size_t no_row = ~std::size_t{0};
  std::unordered_map<std::string_view, std::size_t> rows_of_targets_;
};

}  // namespace

Verdict verdict_of(const std::vector<TensorDiff>& rows) {
  bool common = false, fails = false, not_compared = false;
  std::uint64_t values = 0;
  for (const TensorDiff& row : rows) {
    const Stage stage = stage_of(row.kind);
    if (stage != Stage::missing) common = true;
    if (stage == Stage::not_compared)
      not_compared = true;
    else if (row.within_rule != true)
      fails = true;
    if (has_compared_values(row)) values += row.values;
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
                            const DiffOptions& options, const std::function<void(std::uint64_t)>& progress) {
  Pairing pairing(reference, candidate);
  Rows rows(reference, options, progress);
  for (std::size_t i = 0; i < reference.size(); ++i) {
    rows.add(&reference[i], pairing.find(reference[i].name, i));
  }
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    if (!pairing.is_paired(i)) rows.add(nullptr, &candidate[i]);
  }
  return rows.finish();
}

}  // namespace repro

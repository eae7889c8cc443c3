#include "repro/compare/divergence.h"

#include <algorithm>

namespace repro {
namespace {

using Entries = std::vector<TraceEntry>;

bool same_place(const TraceEntry& a, const TraceEntry& b) {
  return a.phase == b.phase && a.tensor == b.tensor && a.layer == b.layer && a.operation == b.operation;
}

Divergence at_entry(const TraceRecord& record, const TraceEntry& entry) {
  Divergence result;
  result.step = record.step;
  result.epoch = record.epoch;
  result.batch = record.batch;
  result.phase = entry.phase;
  result.layer = entry.layer;
  result.operation = entry.operation;
  result.tensor = entry.tensor;
  return result;
}

// Entries of `phase` in the two records, paired by their position; without a partner, or with one of
// another name, an entry counts as different.
void count_phase(Divergence& result, const Entries& reference, const Entries& candidate) {
  const std::size_t longer = std::max(reference.size(), candidate.size());
  for (std::size_t i = 0; i < longer; ++i) {
    const TraceEntry* left = i < reference.size() ? &reference[i] : nullptr;
    const TraceEntry* right = i < candidate.size() ? &candidate[i] : nullptr;
    const bool counts = (left != nullptr && left->phase == result.phase) ||
                        (right != nullptr && right->phase == result.phase);
    if (!counts) continue;
    ++result.entries_in_phase;
    if (left == nullptr || right == nullptr || !same_place(*left, *right) || left->value != right->value) {
      ++result.different_in_phase;
    }
  }
}

std::optional<Divergence> diverges_in(const TraceRecord& reference, const TraceRecord& candidate) {
  const Entries &left = reference.entries, &right = candidate.entries;
  std::size_t at = 0;
  while (at < left.size() && at < right.size() && same_place(left[at], right[at]) &&
         left[at].value == right[at].value) {
    ++at;
  }
  if (at == left.size() && at == right.size()) return std::nullopt;
  const bool on_left = at < left.size(), on_right = at < right.size();
  Divergence result = at_entry(reference, on_left ? left[at] : right[at]);
  if (on_left) result.reference = left[at].value;
  if (on_right) result.candidate = right[at].value;
  if (!on_left) {
    result.note = "the reference has no more entries in this step";
  } else if (!on_right) {
    result.note = "the candidate has no more entries in this step";
  } else if (!same_place(left[at], right[at])) {
    result.note = "other entries from here on";
  }
  count_phase(result, left, right);
  return result;
}

// One trace has a record more than the other.
Divergence ends_before(const TraceRecord& record, bool candidate_ends, bool complete) {
  static const TraceEntry nothing{};
  const TraceEntry& first = record.entries.empty() ? nothing : record.entries.front();
  Divergence result = at_entry(record, first);
  (candidate_ends ? result.reference : result.candidate) = first.value;
  count_phase(result, record.entries, {});
  result.note = std::string(candidate_ends ? "the candidate's" : "the reference's") + " trace " +
                (complete ? "ends here" : "is cut off here");
  return result;
}

// All whole records are equal; at least one trace is cut off behind them.
Divergence cut_off(const Trace& reference, const Trace& candidate) {
  Divergence result;
  if (!reference.records.empty()) {
    result.step = reference.records.back().step;
    result.epoch = reference.records.back().epoch;
    result.batch = reference.records.back().batch;
    const Entries& entries = reference.records.back().entries;
    if (!entries.empty()) result.phase = entries.back().phase;
  }
  result.note = std::string(reference.complete   ? "the candidate's trace is"
                            : candidate.complete ? "the reference's trace is"
                                                 : "both traces are") +
                " cut off after this step";
  return result;
}

bool same_position(const TraceRecord& a, const TraceRecord& b) {
  return a.step == b.step && a.epoch == b.epoch && a.batch == b.batch;
}

Divergence other_position(const TraceRecord& reference, const TraceRecord& candidate) {
  Divergence result =
      at_entry(reference, reference.entries.empty() ? TraceEntry{} : reference.entries.front());
  if (!reference.entries.empty()) result.reference = reference.entries.front().value;
  if (!candidate.entries.empty()) result.candidate = candidate.entries.front().value;
  count_phase(result, reference.entries, {});
  result.note = "the candidate goes on with step " + std::to_string(candidate.step) + " (epoch " +
                std::to_string(candidate.epoch) + ", batch " + std::to_string(candidate.batch) + ")";
  return result;
}

}  // namespace

std::optional<Divergence> first_divergence(const Trace& reference, const Trace& candidate) {
  const auto &left = reference.records, &right = candidate.records;
  const std::size_t common = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (!same_position(left[i], right[i])) return other_position(left[i], right[i]);
    if (auto found = diverges_in(left[i], right[i])) return found;
  }
  if (left.size() > common) return ends_before(left[common], true, candidate.complete);
  if (right.size() > common) return ends_before(right[common], false, reference.complete);
  if (!reference.complete || !candidate.complete) return cut_off(reference, candidate);
  return std::nullopt;
}

}  // namespace repro

#include "repro/compare/divergence.h"

#include <algorithm>

#include "repro/base/text.h"
#include "repro/compare/record_pairs.h"

namespace repro {
namespace {

constexpr std::size_t neighbours_in_front = 4, neighbours_behind = 6;

TracePlace place(const TraceRecord& record, const TraceSlot& slot) {
  return {record.step, record.epoch, record.batch, slot};
}

Divergence at_slot(const TraceRecord& record, const TraceSlot& slot) {
  Divergence result;
  result.step = record.step;
  result.epoch = record.epoch;
  result.batch = record.batch;
  result.phase = slot.phase;
  result.kind = slot.kind;
  result.layer = slot.layer;
  result.operation = slot.operation;
  result.tensor = slot.tensor;
  result.dtype = slot.dtype;
  result.shape = slot.shape;
  return result;
}

Neighbour::State state_of(const RecordPair& records, const SlotPair& pair) {
  if (!pair.candidate) return Neighbour::State::only_reference;
  if (!pair.reference) return Neighbour::State::only_candidate;
  return records.differs(pair) ? Neighbour::State::different : Neighbour::State::equal;
}

// "the streams differ in this step: 2 fingerprints only in the reference, 1 only in the candidate"
std::string streams_text(const Divergence& divergence) {
  return "the streams differ in this step: " +
         plural(static_cast<std::int64_t>(divergence.only_reference), "fingerprint") +
         " only in the reference, " + thousands(divergence.only_candidate) + " only in the candidate";
}

void count(Divergence& result, const RecordPair& records) {
  for (const SlotPair& pair : records.slots) {
    result.only_reference += pair.candidate ? 0 : 1;
    result.only_candidate += pair.reference ? 0 : 1;
    if (records.slot(pair).phase != result.phase) continue;
    ++result.entries_in_phase;
    result.different_in_phase += records.differs(pair) ? 1 : 0;
  }
}

// Views and memory without contents are left out: they cannot differ.
void look_around(Divergence& result, const RecordPair& records, std::size_t at) {
  const auto worth = [&](std::size_t i) {
    return i == at || !records.slots[i].paired() || has_fingerprint(records.slot(records.slots[i]).kind);
  };
  std::size_t first = at;
  for (std::size_t i = at, left = neighbours_in_front; i-- > 0 && left > 0;) {
    if (!worth(i)) continue;
    first = i;
    --left;
  }
  const std::size_t most = neighbours_in_front + 1 + neighbours_behind;
  for (std::size_t i = first; i < records.slots.size() && result.neighbours.size() < most; ++i) {
    if (!worth(i)) continue;
    if (i == at) result.at_neighbour = result.neighbours.size();
    result.neighbours.push_back({state_of(records, records.slots[i]), records.slot(records.slots[i])});
  }
}

// Whether a slot is what something gave, not what an operation was given.
bool is_outcome(const TraceSlot& slot) {
  return slot.kind == SlotKind::state || slot.kind == SlotKind::result || slot.kind == SlotKind::written;
}

std::optional<Divergence> diverges_in(const RecordPair& records, std::optional<TracePlace>& last_equal) {
  const auto differs = [&](const SlotPair& pair) { return records.differs(pair); };
  const auto found = std::ranges::find_if(records.slots, differs);
  const auto before = std::find_if(std::make_reverse_iterator(found), records.slots.rend(),
                                   [&](const SlotPair& pair) { return is_outcome(records.slot(pair)); });
  if (before != records.slots.rend()) last_equal = place(records.reference, records.slot(*before));
  if (found == records.slots.end()) return std::nullopt;

  Divergence result = at_slot(records.reference, records.slot(*found));
  result.reference = records.reference_value(*found);
  result.candidate = records.candidate_value(*found);
  result.last_equal = last_equal;
  count(result, records);
  look_around(result, records, static_cast<std::size_t>(found - records.slots.begin()));
  if (result.only_reference + result.only_candidate > 0) result.note = streams_text(result);
  return result;
}

// One trace has a record more than the other.
Divergence ends_before(const TraceRecord& record, bool candidate_ends, bool complete) {
  static const TraceSlot nothing{};
  Divergence result = at_slot(record, record.size() == 0 ? nothing : record.slot(0));
  if (record.size() > 0) (candidate_ends ? result.reference : result.candidate) = record.values[0];
  const TraceRecord none{record.step, record.epoch, record.batch};
  RecordPairs pairs;
  count(result, candidate_ends ? pairs.of(record, none) : pairs.of(none, record));
  result.note = std::string(candidate_ends ? "the candidate's" : "the reference's") + " trace " +
                (complete ? "ends here" : "is cut off here");
  return result;
}

// All whole records are equal; at least one trace is cut off behind them.
Divergence cut_off(const Trace& reference, const Trace& candidate) {
  Divergence result;
  if (!reference.records.empty()) {
    const TraceRecord& last = reference.records.back();
    result.step = last.step;
    result.epoch = last.epoch;
    result.batch = last.batch;
    if (last.size() > 0) result.phase = last.layout->back().phase;
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
  Divergence result = at_slot(reference, reference.size() == 0 ? TraceSlot{} : reference.slot(0));
  if (reference.size() > 0) result.reference = reference.values[0];
  if (candidate.size() > 0) result.candidate = candidate.values[0];
  result.note = "the candidate goes on with step " + std::to_string(candidate.step) + " (epoch " +
                std::to_string(candidate.epoch) + ", batch " + std::to_string(candidate.batch) + ")";
  return result;
}

// Whether the training ends in the same state: every learnable, optimiser state and buffer of both records.
bool same_end(const RecordPair& records) {
  bool any = false;
  for (const SlotPair& pair : records.slots) {
    const TraceSlot& slot = records.slot(pair);
    const bool lasting = slot.phase == Phase::update || slot.phase == Phase::buffer;
    if (slot.kind != SlotKind::state || !lasting) continue;
    if (records.differs(pair)) return false;
    any = true;
  }
  return any;
}

// What later records say about a divergence: whether it heals, and the first value that differs.
void look_ahead(Divergence& result, const Trace& reference, const Trace& candidate, std::size_t from,
                RecordPairs& pairs) {
  const std::size_t common = std::min(reference.records.size(), candidate.records.size());
  for (std::size_t i = from; i < common; ++i) {
    const TraceRecord& left = reference.records[i];
    if (!same_position(left, candidate.records[i])) return;
    const RecordPair records = pairs.of(left, candidate.records[i]);
    for (const SlotPair& pair : records.slots) {
      if (!pair.paired() || !records.differs(pair)) continue;
      result.last_different = place(left, records.slot(pair));
      if (!result.first_different_value) result.first_different_value = result.last_different;
    }
  }
  result.healed = reference.complete && candidate.complete &&
                  reference.records.size() == candidate.records.size() &&
                  same_end(pairs.of(reference.records.back(), candidate.records.back()));
}

}  // namespace

std::optional<Divergence> first_divergence(const Trace& reference, const Trace& candidate) {
  const auto &left = reference.records, &right = candidate.records;
  const std::size_t common = std::min(left.size(), right.size());
  RecordPairs pairs;
  std::optional<TracePlace> last_equal;
  const auto with_last_equal = [&](Divergence found) {
    found.last_equal = last_equal;
    return found;
  };
  for (std::size_t i = 0; i < common; ++i) {
    if (!same_position(left[i], right[i])) return with_last_equal(other_position(left[i], right[i]));
    if (auto found = diverges_in(pairs.of(left[i], right[i]), last_equal)) {
      look_ahead(*found, reference, candidate, i, pairs);
      return found;
    }
  }
  if (left.size() > common) return with_last_equal(ends_before(left[common], true, candidate.complete));
  if (right.size() > common) return with_last_equal(ends_before(right[common], false, reference.complete));
  if (!reference.complete || !candidate.complete) return with_last_equal(cut_off(reference, candidate));
  return std::nullopt;
}

}  // namespace repro

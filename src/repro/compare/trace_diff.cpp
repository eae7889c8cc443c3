#include "repro/compare/trace_diff.h"

#include <algorithm>
#include <map>
#include <vector>

#include "repro/compare/record_pairs.h"

namespace repro {
namespace {

bool is_state(const TraceSlot& slot) { return slot.kind == SlotKind::state; }

// Whether a divergence is nothing but the end of a trace that was cut off.
bool only_cut_off(const Divergence& divergence, const Trace& reference, const Trace& candidate) {
  if (reference.complete && candidate.complete) return false;
  return divergence.note.find("cut off") != std::string::npos;
}

}  // namespace

bool has_operations(const Trace& trace) {
  return std::ranges::any_of(trace.records, [](const TraceRecord& record) {
    return !std::ranges::all_of(*record.layout, is_state);
  });
}

Trace states_of(const Trace& trace) {
  std::map<const TraceLayout*, std::shared_ptr<const TraceLayout>> reduced;
  Trace out;
  out.complete = trace.complete;
  for (const TraceRecord& record : trace.records) {
    auto& layout = reduced[record.layout.get()];
    if (!layout) {
      auto states = std::make_shared<TraceLayout>();
      std::ranges::copy_if(*record.layout, std::back_inserter(*states), is_state);
      layout = states;
    }
    TraceRecord kept{record.step, record.epoch, record.batch, layout};
    for (std::size_t i = 0; i < record.size(); ++i) {
      if (is_state(record.slot(i))) kept.values.push_back(record.values[i]);
    }
    out.records.push_back(std::move(kept));
  }
  return out;
}

TraceDiff diff_traces(const Trace& reference, const Trace& candidate) {
  if (has_operations(reference) != has_operations(candidate)) {
    TraceDiff out = diff_traces(states_of(reference), states_of(candidate));
    out.states_only = true;
    return out;
  }
  TraceDiff out;
  out.divergence = first_divergence(reference, candidate);
  out.steps = std::min(reference.records.size(), candidate.records.size());
  RecordPairs pairs;
  for (std::size_t i = 0; i < out.steps; ++i) {
    const RecordPair records = pairs.of(reference.records[i], candidate.records[i]);
    out.fingerprints += static_cast<std::uint64_t>(std::ranges::count_if(records.slots, &SlotPair::paired));
  }
  if (out.divergence) {
    const bool undecided = only_cut_off(*out.divergence, reference, candidate);
    out.verdict = undecided ? Verdict::inconclusive : Verdict::different;
  } else if (out.fingerprints > 0) {
    out.verdict = Verdict::identical;
  }
  return out;
}

}  // namespace repro

#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "repro/compare/alignment.h"

namespace repro {

// Two records of the same step side by side.
struct RecordPair {
  const TraceRecord& reference;
  const TraceRecord& candidate;
  const std::vector<SlotPair>& slots;

  const TraceSlot& slot(const SlotPair& pair) const {
    return pair.reference ? reference.slot(*pair.reference) : candidate.slot(*pair.candidate);
  }
  Fingerprint reference_value(const SlotPair& pair) const {
    return pair.reference ? reference.values[*pair.reference] : 0;
  }
  Fingerprint candidate_value(const SlotPair& pair) const {
    return pair.candidate ? candidate.values[*pair.candidate] : 0;
  }
  bool differs(const SlotPair& pair) const {
    return !pair.paired() || reference_value(pair) != candidate_value(pair);
  }
};

// Aligns records, each pair of layouts once. The result lives as long as this object.
class RecordPairs {
 public:
  RecordPair of(const TraceRecord& reference, const TraceRecord& candidate) {
    const auto key = std::pair(reference.layout.get(), candidate.layout.get());
    auto known = alignments_.find(key);
    if (known == alignments_.end()) {
      known = alignments_.emplace(key, align(*reference.layout, *candidate.layout)).first;
    }
    return {reference, candidate, known->second};
  }

 private:
  std::map<std::pair<const TraceLayout*, const TraceLayout*>, std::vector<SlotPair>> alignments_;
};

}  // namespace repro

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "repro/snapshot/trace.h"

namespace repro {

// What belongs together in two layouts, as a line diff would say: a slot of each side, or a slot that the
// other side lacks.
struct SlotPair {
  std::optional<std::size_t> reference, candidate;  // at least one; both: equal slots
  bool paired() const { return reference && candidate; }
  bool operator==(const SlotPair&) const = default;
};

// The shortest edit from one layout to the other (E. Myers, "An O(ND) difference algorithm and its
// variations", 1986), in order; of a stretch that was replaced the reference's slots come first. Only slots
// that are equal in every field are paired: like is compared with like. Where the layouts differ in more
// than `most_edits` slots, what lies between their common beginning and end stays unpaired.
std::vector<SlotPair> align(const TraceLayout& reference, const TraceLayout& candidate,
                            std::size_t most_edits = 2000);

}  // namespace repro

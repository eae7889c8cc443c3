#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repro/snapshot/trace.h"

namespace repro {

// A point of a training.
struct TracePlace {
  std::int64_t step = 0, epoch = 0, batch = 0;
  TraceSlot slot;
};

// What stands around a divergence, in order.
struct Neighbour {
  enum class State { equal, different, only_reference, only_candidate } state = State::equal;
  TraceSlot slot;
};

// The first place where two traces part: walked from the front, never bisected (states can part and meet
// again). "First" means first in the order of the trace.
//
// In operation traces the operation of a `result` or `written` slot is the culprit: everything that it read
// stands in front of it, or was recorded as its `input`, and agrees. A slot of kind `input` or `before` is a
// victim: it was changed by something that is not traced.
struct Divergence {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  std::int64_t batch = 0;
  Phase phase = Phase::initialisation;
  SlotKind kind = SlotKind::state;
  std::string layer, operation, tensor;
  std::optional<DType> dtype;
  Shape shape;
  Fingerprint reference = 0, candidate = 0;  // 0 on a side that lacks the slot
  // How many slots of this step and phase differ, of how many.
  std::uint64_t different_in_phase = 0, entries_in_phase = 0;
  // Slots of this step that the other trace lacks: the streams differ, and were aligned as by a line diff.
  std::uint64_t only_reference = 0, only_candidate = 0;
  // Where this place is a slot that one side lacks: the first slot of both sides whose values differ.
  std::optional<TracePlace> first_different_value;
  std::optional<TracePlace> last_equal;      // the last state or result in front of it, which agrees
  std::optional<TracePlace> last_different;  // the last slot of both traces that differs
  std::vector<Neighbour> neighbours;         // up to four in front, this one, up to six behind; same step
  std::size_t at_neighbour = 0;              // which of them this place is
  // True: the traces end in equal learnables, optimiser state and buffers; what differed was rounded away or
  // overwritten. Only where both are complete and equally long.
  bool healed = false;
  std::string note;  // "the candidate's trace ends here", how the streams differ, or ""
};
// Nothing if the traces are equal in all records and both complete. A trace that ends early, or whose slots
// are others, diverges there, with a note.
std::optional<Divergence> first_divergence(const Trace& reference, const Trace& candidate);

}  // namespace repro

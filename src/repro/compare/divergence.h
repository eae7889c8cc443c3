#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repro/snapshot/trace.h"

namespace repro {

// The first place where two traces part: walked from the front, never bisected (states can part and meet
// again). "First" means first in the order of the trace.
struct Divergence {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  std::int64_t batch = 0;
  Phase phase = Phase::initialisation;
  std::string layer, operation, tensor;
  Fingerprint reference = 0, candidate = 0;
  // How many entries of this step and phase differ, of how many.
  std::uint64_t different_in_phase = 0, entries_in_phase = 0;
  std::string note;  // "the candidate's trace ends here", "other entries from here on", or ""
};
// Nothing if the traces are equal in all records and both complete. A trace that ends early, or whose
// entries have other names, diverges there, with a note.
std::optional<Divergence> first_divergence(const Trace& reference, const Trace& candidate);

}  // namespace repro

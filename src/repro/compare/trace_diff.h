#pragma once

#include <cstdint>
#include <optional>

#include "repro/compare/difference.h"
#include "repro/compare/divergence.h"

namespace repro {

// Two traces compared.
struct TraceDiff {
  std::optional<Divergence> divergence;
  std::uint64_t steps = 0;         // that both traces have, step 0 included
  std::uint64_t fingerprints = 0;  // that were compared in them
  bool states_only = false;        // one trace has no operations: those of the other were left out
  // different: some fingerprint differs, the streams do, or a whole trace ends before the other;
  // inconclusive: nothing was compared, or all that a cut-off trace has is equal; else identical.
  Verdict verdict = Verdict::inconclusive;
};
TraceDiff diff_traces(const Trace& reference, const Trace& candidate);

// Whether any slot belongs to an operation.
bool has_operations(const Trace& trace);
// The trace without its operations: what a step trace of the same training holds.
Trace states_of(const Trace& trace);

}  // namespace repro

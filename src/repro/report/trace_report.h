#pragma once

#include <optional>
#include <string>

#include "repro/compare/trace_diff.h"
#include "repro/report/json.h"

namespace repro {

// Renderings of traces. Names from files are escaped.

// One line for each fingerprint, step by step; `step` alone if given. Ends with a line of totals.
void render_trace_text(const Trace& trace, const std::string& file, std::optional<std::int64_t> step,
                       const TextSink& sink);
void render_trace_json(const Trace& trace, const std::string& file, std::optional<std::int64_t> step,
                       const TextSink& sink);

// The first divergence with its neighbours; the verdict is the last line.
std::string render_trace_diff_text(const TraceDiff& diff, const std::string& reference,
                                   const std::string& candidate);
std::string render_trace_diff_json(const TraceDiff& diff, const std::string& reference,
                                   const std::string& candidate);
// "verdict: identical (96 steps, 5,712 fingerprints)"
std::string trace_verdict_line(const TraceDiff& diff);

}  // namespace repro

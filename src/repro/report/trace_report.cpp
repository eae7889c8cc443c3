#include "repro/report/trace_report.h"

#include <algorithm>

#include "repro/base/bytes.h"
#include "repro/base/text.h"
#include "repro/report/divergence_text.h"
#include "repro/report/escape.h"

namespace repro {
namespace {

// "0123456789abcdef  backward, layer conv1, aten::convolution_backward -> result1  float32 8x1x3x3"
std::string slot_line(const TraceSlot& slot, Fingerprint value) {
  std::string line = "  " + (has_fingerprint(slot.kind) ? hex_of(value) : std::string(16, '-'));
  line += "  " + safe_text(slot_text(slot));
  if (const std::string layout = layout_text(slot); !layout.empty()) line += "  " + layout;
  return line + "\n";
}

struct Totals {
  std::int64_t steps = 0, fingerprints = 0;
};

// Calls `visit` for each record that is asked for.
template <class Visit>
Totals visit_records(const Trace& trace, std::optional<std::int64_t> step, const Visit& visit) {
  Totals totals;
  for (const TraceRecord& record : trace.records) {
    if (step && record.step != *step) continue;
    ++totals.steps;
    totals.fingerprints += std::ranges::count_if(*record.layout, has_fingerprint, &TraceSlot::kind);
    visit(record);
  }
  return totals;
}

std::string totals_text(const Totals& totals) {
  return plural(totals.steps, "step") + ", " + plural(totals.fingerprints, "fingerprint");
}

}  // namespace

void render_trace_text(const Trace& trace, const std::string& file, std::optional<std::int64_t> step,
                       const TextSink& sink) {
  const Totals totals = visit_records(trace, step, [&](const TraceRecord& record) {
    sink(step_text(record.step, record.epoch, record.batch) + "\n");
    for (std::size_t i = 0; i < record.size(); ++i) sink(slot_line(record.slot(i), record.values[i]));
  });
  sink(displayable(file) + ": " + totals_text(totals) +
       (trace.complete ? "" : "; the file ends within a step, which is left out") + "\n");
}

void render_trace_json(const Trace& trace, const std::string& file, std::optional<std::int64_t> step,
                       const TextSink& sink) {
  JsonStream json(sink);
  json.begin_object();
  json.member("format", "repro-train/trace");
  json.member("version", 1);
  json.member("file", json_text(file));
  json.member("complete", trace.complete);
  json.key("steps");
  json.begin_array();
  visit_records(trace, step, [&](const TraceRecord& record) {
    json.begin_object();
    json.member("step", record.step);
    json.member("epoch", record.epoch);
    json.member("batch", record.batch);
    json.key("fingerprints");
    json.begin_array();
    for (std::size_t i = 0; i < record.size(); ++i) {
      Json entry = json_of(record.slot(i));
      entry["strides"] = record.slot(i).strides.empty() ? Json(nullptr) : Json(record.slot(i).strides);
      entry["fingerprint"] =
          has_fingerprint(record.slot(i).kind) ? Json(hex_of(record.values[i])) : Json(nullptr);
      json.begin_object(true);
      for (const auto& [key, value] : entry.items()) json.member(key, value);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  });
  json.end_array();
  json.end_object();
  json.finish();
}

std::string trace_verdict_line(const TraceDiff& diff) {
  return "verdict: " + std::string(name_of(diff.verdict)) + " (" +
         totals_text({static_cast<std::int64_t>(diff.steps), static_cast<std::int64_t>(diff.fingerprints)}) +
         ")";
}

std::string render_trace_diff_text(const TraceDiff& diff, const std::string& reference,
                                   const std::string& candidate) {
  std::string out = "reference: " + displayable(reference) + "\ncandidate: " + displayable(candidate) + "\n";
  if (diff.states_only) out += "only one trace has operations: what both have is compared\n";
  if (diff.divergence) {
    out += "first divergence: " + safe_text(divergence_text(*diff.divergence)) + "\n";
    for (const auto& [label, text] : divergence_details(*diff.divergence)) {
      out += "  " + label + ": " + safe_text(text) + "\n";
    }
    if (!diff.divergence->neighbours.empty()) {
      out += "  around it (" + std::string(neighbour_legend) + "):\n";
      out += neighbour_lines(*diff.divergence);
    }
  }
  return out + trace_verdict_line(diff) + "\n";
}

std::string render_trace_diff_json(const TraceDiff& diff, const std::string& reference,
                                   const std::string& candidate) {
  return json_document({{"format", "repro-train/trace-diff"},
                        {"version", 1},
                        {"verdict", name_of(diff.verdict)},
                        {"reference", json_text(reference)},
                        {"candidate", json_text(candidate)},
                        {"steps_compared", diff.steps},
                        {"fingerprints_compared", diff.fingerprints},
                        {"states_only", diff.states_only},
                        {"first_divergence", diff.divergence ? json_of(*diff.divergence) : Json(nullptr)}});
}

}  // namespace repro

// Time and memory of every run.
#include <algorithm>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"

namespace repro::html {
namespace {

std::string gauge(double value, double largest) {
  if (!(value > 0) || !(largest > 0)) return "";
  const int percent = std::clamp(static_cast<int>(100 * value / largest + 0.5), 1, 100);
  return "<div class=\"cell-bar\"><i style=\"width:" + std::to_string(percent) + "%\"></i></div>";
}

std::string status_cell(const RunRecord& record) {
  const std::string status(name_of(record.status));
  if (record.status == RunStatus::finished) {
    return record.stopped_early ? status + " (stopped early)" : status;
  }
  return "<span class=\"warn\">" + status + "</span>";
}

std::string number_or_dash(double value, std::string (*show)(double)) {
  return value > 0 ? show(value) : "–";
}

std::string last_loss(const RunResult& run) {
  return run.steps.empty() ? "–" : rounded(static_cast<double>(run.steps.back().loss), 6);
}

}  // namespace

std::string run_table(const AuditResult& audit) {
  constexpr std::size_t most_rows = 1000;
  double longest = 0;
  double largest = 0;
  for (const RunResult& run : audit.runs) {
    longest = std::max(longest, run.record.seconds);
    largest = std::max(largest, static_cast<double>(run.record.peak_memory_bytes));
  }
  std::vector<std::vector<std::string>> rows;
  for (const RunResult& run : audit.runs) {
    if (rows.size() == most_rows) break;
    const RunRecord& record = run.record;
    const auto bytes = static_cast<double>(record.peak_memory_bytes);
    rows.push_back({code(record.name), status_cell(record), thousands(record.steps), last_loss(run),
                    number_or_dash(record.seconds, human_duration) + gauge(record.seconds, longest),
                    number_or_dash(record.step_seconds, human_duration),
                    (bytes > 0 ? human_bytes(record.peak_memory_bytes) : "–") + gauge(bytes, largest),
                    run.weights_sha256.empty() ? "–" : code(run.weights_sha256.substr(0, 16) + "…")});
  }
  if (rows.empty()) return "";
  std::string out = table({{"run"},
                           {"status"},
                           {"steps", true},
                           {"last loss", true},
                           {"time", true},
                           {"step (median)", true},
                           {"peak memory", true},
                           {"SHA-256 of the weights"}},
                          rows);
  if (audit.runs.size() > most_rows) {
    out += "<p class=\"left-out\">Left out: " +
           plural(static_cast<std::int64_t>(audit.runs.size() - most_rows), "more run") +
           "; report.json has all.</p>\n";
  }
  if (audit.isolation == "shared") {
    out +=
        "<p class=\"quiet\">All runs shared one process: a run's peak memory includes that of the "
        "runs before it.</p>\n";
  }
  return out;
}

}  // namespace repro::html

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repro/audit/result.h"
#include "repro/gate/gate.h"

namespace repro {

// One result, several renderings. All are pure functions of their arguments and of the files of the
// finished runs (byte for byte the same when called again): no clock, no locale, no terminal.

struct TextOptions {
  int width = 80;                // columns; the table never exceeds them unless a single name does
  bool color = false;            // ANSI colours
  std::string report_path = {};  // shown in the line "report: …"; "" leaves it out
};
// Table of groups, determinism line, cost, divergence, warnings, report path, verdict line (last).
std::string render_text(const AuditResult& audit, const Judgement& judgement, const TextOptions& options);

std::string render_json(const AuditResult& audit, const Judgement& judgement);
std::string render_markdown(const AuditResult& audit, const Judgement& judgement);
std::string render_junit(const AuditResult& audit, const Judgement& judgement);
std::string render_html(const AuditResult& audit, const Judgement& judgement);

// diff/<group>-<k>-vs-<group>-<r>/ with tensors.csv, <tensor>.csv and <tensor>.svg for every comparison.
// Returns what was left out of the rows, a line per comparison that was cut (for the warnings).
enum class CsvRows { all, different, none };
struct CsvOptions {
  CsvRows rows = CsvRows::all;
  // Of a comparison; above it differing rows come first, and the cut is said.
  std::uint64_t row_limit = 1'000'000;
  bool explicit_rows = false;  // --csv-rows all was given: no limit
};
std::vector<std::string> write_differences(const AuditResult& audit, const fs::path& audit_directory,
                                           const CsvOptions& options);

// A bar plot of `tensor`'s differences in the terminal for the given comparison, `width` columns.
// Error{request} naming near names if the comparison has no such tensor.
std::string render_plot(const AuditResult& audit, const Comparison& comparison, const std::string& tensor,
                        int width, bool color);

// The first learnable weight tensor of the audit, "" if there is none.
std::string first_learnable(const AuditResult& audit);

}  // namespace repro

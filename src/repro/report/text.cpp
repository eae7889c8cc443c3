#include "repro/base/text.h"
#include "repro/base/number.h"
#include "repro/report/facts.h"
#include "repro/report/report.h"
#include "repro/report/table.h"
#include "repro/report/text_parts.h"

namespace repro {
namespace {

// Ranks: what the other reports show as well goes first when the terminal is narrow.
std::vector<TableColumn> summary_columns() {
  return {{"group", "", false, 0},          {"runs", "", true, 0},
          {"tensors", "", true, 3},         {"values", "", true, 4},
          {"different", "differ", true, 0}, {"max |diff|", "|diff|", true, 2},
          {"max ULP", "ULP", true, 1},      {"step", "", true, 5},
          {"peak memory", "peak", true, 6}, {"verdict", "", false, 0}};
}

std::vector<TableCell> summary_row(const GroupFacts& facts, bool color) {
  const GroupResult& group = *facts.group;
  const std::string runs = group.finished == group.runs
                               ? thousands(group.runs)
                               : thousands(group.finished) + "/" + thousands(group.runs);
  return {{displayable(group.name), ""},
          {runs, ""},
          {thousands(group.tensors), ""},
          {thousands(group.values), ""},
          {thousands(facts.different), ""},
          {facts.max_abs ? rounded(*facts.max_abs, 2) : "-", ""},
          {facts.max_ulp ? thousands(*facts.max_ulp) : "-", ""},
          {group.step_seconds > 0 ? human_duration(group.step_seconds) : "-", ""},
          {group.peak_memory_bytes > 0 ? human_bytes(group.peak_memory_bytes) : "-", ""},
          {std::string(name_of(facts.judged.verdict)), style_of(facts.judged.verdict, color)}};
}

}  // namespace

std::string render_text(const AuditResult& audit, const Judgement& judgement, const TextOptions& options) {
  std::vector<std::vector<TableCell>> rows;
  for (const GroupFacts& facts : group_facts(audit)) {
    rows.push_back(summary_row(facts, options.color));
  }
  std::string out;
  if (!rows.empty()) out += render_table(summary_columns(), rows, options.width);
  for (const Note& note : notes_of(audit)) out += note_lines(note, options.color);
  if (!options.report_path.empty()) out += "report: " + displayable(options.report_path) + "\n";
  return out + verdict_text(judgement.verdict_line, judgement.verdict, options.color);
}

}  // namespace repro

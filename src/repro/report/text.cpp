#include "repro/base/text.h"
#include "repro/base/number.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/report.h"
#include "repro/report/table.h"

namespace repro {
namespace {

constexpr const char* green = "\x1b[32m";
constexpr const char* red = "\x1b[31m";
constexpr const char* yellow = "\x1b[33m";
constexpr const char* bold = "\x1b[1m";

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::identical: return green;
    case Verdict::different: return red;
    case Verdict::inconclusive:
    case Verdict::not_comparable: return yellow;
  }
  return "";
}

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
          {std::string(name_of(facts.judged.verdict)), color ? colour_of(facts.judged.verdict) : ""}};
}

std::string note_lines(const Note& note, bool color) {
  std::string style;
  if (color && note.kind == Note::Kind::warning) style = yellow;
  if (color && note.kind == Note::Kind::failure) style = red;
  std::string label(label_of(note.kind));
  if (!label.empty()) label += ": ";
  const std::string text = safe_text(note.text);
  std::string out = label.empty() ? styled(text, style) : styled(label, style) + text;
  out += "\n";
  for (const std::string& line : note.details) out += "  | " + safe_text(line) + "\n";
  return out;
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
  out += options.color ? styled(judgement.verdict_line, bold + std::string(colour_of(judgement.verdict)))
                       : judgement.verdict_line;
  return out + "\n";
}

}  // namespace repro

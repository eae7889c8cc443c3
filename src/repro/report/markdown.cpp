#include <algorithm>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/report.h"

namespace repro {
namespace {

constexpr std::size_t most_rows = 50;  // of differing tensors in one comparison

std::string row(const std::vector<std::string>& cells) { return "| " + join(cells, " | ") + " |\n"; }

std::string optional_number(const std::optional<double>& value) { return value ? rounded(*value) : ""; }
std::string optional_count(const std::optional<std::uint64_t>& value) {
  return value ? thousands(*value) : "";
}

std::string group_table(const AuditResult& audit) {
  std::string out =
      "| group | runs | tensors | values | different | max \\|diff\\| | max ULP | step | "
      "peak memory | verdict |\n"
      "|:--|--:|--:|--:|--:|--:|--:|--:|--:|:--|\n";
  for (const GroupFacts& facts : group_facts(audit)) {
    const GroupResult& group = *facts.group;
    std::string verdict(name_of(facts.judged.verdict));
    std::replace(verdict.begin(), verdict.end(), '_', ' ');
    if (facts.decides) verdict = "**" + verdict + "**";
    out +=
        row({markdown_code(group.name),
             (group.finished == group.runs ? "" : thousands(group.finished) + " of ") + thousands(group.runs),
             thousands(group.tensors), thousands(group.values), thousands(facts.different),
             optional_number(facts.max_abs), optional_count(facts.max_ulp),
             group.step_seconds > 0 ? human_duration(group.step_seconds) : "",
             group.peak_memory_bytes > 0 ? human_bytes(group.peak_memory_bytes) : "", verdict});
  }
  return out + "\n";
}

std::string notes(const AuditResult& audit) {
  std::string out;
  for (const Note& note : notes_of(audit)) {
    const std::string label(label_of(note.kind));
    out += "- " + (label.empty() ? "" : "**" + label + "**: ") + markdown_text(note.text) + "\n";
    if (note.details.empty()) continue;
    // HTML, because no fence is safe against every line that a log can hold.
    out += "\n  <pre>";
    for (const std::string& line : note.details) out += html_text(line) + "&#10;";
    out += "</pre>\n\n";
  }
  return out.empty() ? "" : out + "\n";
}

std::string differing_tensors(const Comparison& comparison) {
  std::string rows;
  std::size_t count = 0;
  for (const TensorDiff& tensor : comparison.diff.tensors) {
    if (tensor.kind == DifferenceKind::equal || ++count > most_rows) continue;
    std::string kind(name_of(tensor.kind));
    std::replace(kind.begin(), kind.end(), '_', ' ');
    rows += row({markdown_code(tensor.name), markdown_text(dtype_text(tensor)),
                 markdown_text(shape_text_of(tensor, "x")), kind,
                 thousands(tensor.different) + " of " + thousands(tensor.values),
                 optional_number(tensor.max_abs), optional_count(tensor.max_ulp)});
  }
  if (count == 0) return "";
  std::string out = "### " + markdown_text(pair_text(comparison)) + "\n\n";
  out +=
      "| tensor | dtype | shape | kind | different | max \\|diff\\| | max ULP |\n"
      "|:--|:--|:--|:--|--:|--:|--:|\n" +
      rows + "\n";
  if (count > most_rows) {
    out += "Left out here: " + thousands(static_cast<std::uint64_t>(count - most_rows)) +
           " more tensors; tensors.csv has all.\n\n";
  }
  return out;
}

std::string all_differences(const AuditResult& audit) {
  constexpr int most_comparisons = 10;
  std::string out;
  int shown = 0;
  int left_out = 0;
  for (const Comparison& comparison : audit.comparisons) {
    const std::string part = differing_tensors(comparison);
    if (part.empty()) continue;
    shown < most_comparisons ? (out += part, ++shown) : ++left_out;
  }
  if (left_out > 0) {
    out += "Left out here: " + plural(left_out, "more comparison") + "; report.json has all.\n";
  }
  return out;
}

}  // namespace

std::string render_markdown(const AuditResult& audit, const Judgement& judgement) {
  std::string verdict(name_of(judgement.verdict));
  std::replace(verdict.begin(), verdict.end(), '_', ' ');
  std::string out = "# " + markdown_text(audit.name) + ": " + verdict + "\n\n";
  out += markdown_text(judgement.verdict_line) + "\n\n";
  if (!audit.device_line.empty()) out += markdown_text(audit.device_line) + "\n\n";
  out += group_table(audit);
  out += notes(audit);
  out += all_differences(audit);
  out += "Exit code " + std::to_string(judgement.exit_code) + ", rule " +
         markdown_text(rule_text(audit.rule)) + ", repro-train " + markdown_text(audit.version) +
         ", started " + markdown_text(audit.started) + ".\n";
  return out;
}

}  // namespace repro

#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/markdown_parts.h"
#include "repro/report/partings.h"
#include "repro/report/report.h"
#include "repro/report/row_facts.h"

namespace repro {
namespace {

std::string group_table(const AuditResult& audit) {
  std::string out =
      "| group | runs | tensors | values | different | max \\|diff\\| | max ULP | step | "
      "peak memory | verdict |\n"
      "|:--|--:|--:|--:|--:|--:|--:|--:|--:|:--|\n";
  for (const GroupFacts& facts : group_facts(audit)) {
    const GroupResult& group = *facts.group;
    std::string verdict = words_of(name_of(facts.judged.verdict));
    if (facts.decides) verdict = "**" + verdict + "**";
    out += markdown_row(
        {markdown_code(group.name),
         (group.finished == group.runs ? "" : thousands(group.finished) + " of ") + thousands(group.runs),
         thousands(group.tensors), thousands(group.values), thousands(facts.different),
         markdown_number(facts.max_abs), markdown_count(facts.max_ulp),
         group.step_seconds > 0 ? human_duration(group.step_seconds) : "",
         group.peak_memory_bytes > 0 ? human_bytes(group.peak_memory_bytes) : "", verdict});
  }
  return out + "\n";
}

std::string notes(const AuditResult& audit) {
  std::string out;
  for (const Note& note : notes_beside_partings(audit)) {
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

}  // namespace

std::string render_markdown(const AuditResult& audit, const Judgement& judgement) {
  std::string out = "# " + markdown_text(audit.name) + ": " + words_of(name_of(judgement.verdict)) + "\n\n";
  out += markdown_text(judgement.verdict_line) + "\n\n";
  if (!audit.device_line.empty()) out += markdown_text(audit.device_line) + "\n\n";
  out += group_table(audit);
  out += notes(audit);
  out += markdown_first_divergence(audit);
  out += markdown_differences(views_of(audit), "tensors.csv", "report.json");
  out += "Exit code " + std::to_string(judgement.exit_code) + ", rule " +
         markdown_text(rule_text(audit.rule)) + ", repro-train " + markdown_text(audit.version) +
         ", started " + markdown_text(audit.started) + ".\n";
  return out;
}

}  // namespace repro

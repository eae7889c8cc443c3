#include "repro/base/text.h"
#include "repro/report/diff_notes.h"
#include "repro/report/diff_report.h"
#include "repro/report/escape.h"
#include "repro/report/markdown_parts.h"
#include "repro/report/row_facts.h"
#include "repro/report/totals.h"

namespace repro {
namespace {

std::string summary_table(const DiffResult& result) {
  std::string out =
      "| candidate | reference | tensors | values | different | by kind | verdict |\n"
      "|:--|:--|--:|--:|--:|:--|:--|\n";
  for (const DiffComparison& comparison : result.comparisons) {
    const SnapshotDiff& diff = comparison.diff;
    out += markdown_row({markdown_code(comparison.candidate.name), markdown_code(comparison.reference.name),
                         thousands(diff.tensors_compared), thousands(diff.values_compared),
                         thousands(diff.values_different), markdown_text(kinds_text(totals_of(diff))),
                         "**" + words_of(name_of(diff.verdict)) + "**"});
  }
  return out + "\n";
}

}  // namespace

std::string render_diff_markdown(const DiffResult& result) {
  const std::vector<ComparisonView> views = views_of(result);
  std::string out = "# " + (views.size() == 1 ? markdown_text(views[0].title) : "Comparison of checkpoints") +
                    ": " + words_of(name_of(result.verdict)) + "\n\n";
  out += markdown_text(result.verdict_line) + "\n\n" + summary_table(result);
  std::string list;
  for (const Note& note : notes_of(result)) {
    const std::string label(label_of(note.kind));
    list += "- " + (label.empty() ? "" : "**" + label + "**: ") + markdown_text(note.text) + "\n";
  }
  if (!list.empty()) out += list + "\n";
  out += markdown_differences(views, "--json or --csv", "--json");
  return out + "Rule " + markdown_text(rule_text(result.rule)) + ".\n";
}

}  // namespace repro

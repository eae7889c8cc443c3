// The page of `diff`: the sections that an audit's page has for comparisons, under another summary.
#include <algorithm>

#include "repro/base/text.h"
#include "repro/report/diff_notes.h"
#include "repro/report/diff_report.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/totals.h"

namespace repro {
namespace {

std::string_view sentence_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::identical: return "What was compared is the same.";
    case Verdict::different: return "There are differences.";
    case Verdict::inconclusive:
      return "There is no verdict: something could not be compared, or nothing was.";
    case Verdict::not_comparable: return "The files cannot be compared.";
  }
  return "";
}

std::string side_cell(const DiffSide& side) {
  return html::code(side.name) + "<div class=\"quiet\">" + html_text(side.format) + ", " +
         html_text(plural(static_cast<std::int64_t>(side.tensors), "tensor")) + "</div>";
}

template <class T>
std::optional<T> largest(const SnapshotDiff& diff, std::optional<T> (TensorDiff::*fact)() const) {
  std::optional<T> out;
  for (const TensorDiff& row : diff.tensors) {
    const std::optional<T> value = (row.*fact)();
    if (value && (!out || *value > *out)) out = value;
  }
  return out;
}

std::string summary_table(const DiffResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const DiffComparison& comparison : result.comparisons) {
    const SnapshotDiff& diff = comparison.diff;
    const DiffTotals totals = totals_of(diff);
    rows.push_back({side_cell(comparison.reference), side_cell(comparison.candidate),
                    html::badge(diff.verdict), thousands(diff.tensors_compared),
                    thousands(totals.of(DifferenceKind::equal)), thousands(diff.values_compared),
                    thousands(diff.values_different),
                    html::optional_number(largest(diff, &TensorDiff::max_abs)),
                    html::optional_count(largest(diff, &TensorDiff::max_ulp))});
  }
  return html::table({{"reference"},
                      {"candidate"},
                      {"verdict"},
                      {"tensors compared", true},
                      {"equal", true},
                      {"values", true},
                      {"different", true},
                      {"max |diff|", true},
                      {"max ULP", true}},
                     rows);
}

std::string magnitudes_table(std::span<const ComparisonView> views) {
  std::vector<std::vector<std::string>> rows;
  for (const ComparisonView& view : views) {
    const Magnitudes magnitudes = totals_of(*view.diff, view.counts).magnitudes;
    if (worst_class(magnitudes) == MagnitudeClass::none) continue;
    std::vector<std::string> row = {html::code(view.title)};
    for (const MagnitudeClass magnitude : magnitude_classes) {
      row.push_back(thousands(count_of(magnitudes, magnitude)));
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return "";
  return html::table({{"pairs of numbers that differ"},
                      {"signed zero", true},
                      {"last bit (1 ULP)", true},
                      {"small (2 to 1,024 ULP)", true},
                      {"gross", true},
                      {"NaN", true}},
                     rows);
}

}  // namespace

std::string render_diff_html(const DiffResult& result) {
  const std::vector<ComparisonView> views = views_of(result);
  html::Page page;
  page.kicker = "repro-train diff";
  page.heading = views.size() == 1 ? views[0].title : plural(std::ssize(views), "comparison");
  page.verdict = result.verdict;
  std::string facts = "rule " + html_text(rule_text(result.rule));
  if (views.size() == 1) facts += " · " + html_text(kinds_text(totals_of(*views[0].diff)));
  page.head = html::verdict_banner(result.verdict, std::string(sentence_of(result.verdict)),
                                   result.verdict_line, facts);
  page.summary = summary_table(result) + html::note_list(notes_of(result));
  const bool differs = std::any_of(views.begin(), views.end(), [](const ComparisonView& view) {
    return worst_class(totals_of(*view.diff).magnitudes) != MagnitudeClass::none;
  });
  const std::string all_at = "--json and --csv have all";
  page.sections = {
      {"differences", "Differences in values", html::difference_plots(views, "", all_at)},
      {"tensors", "Tensors", html::tensor_tables(views, all_at)},
      {"sizes", "Sizes of the differences", magnitudes_table(views)},
      {"ulp", "Distances in ULP", differs ? html::ulp_histogram(views) : ""},
  };
  return html::whole_page(page);
}

}  // namespace repro

// The text of `diff`: what differs, worst first, then what it comes to.
#include <algorithm>
#include <cmath>
#include <span>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/compare/pairs.h"
#include "repro/report/diff_notes.h"
#include "repro/report/diff_report.h"
#include "repro/report/escape.h"
#include "repro/report/row_facts.h"
#include "repro/report/table.h"
#include "repro/report/text_parts.h"
#include "repro/report/totals.h"

namespace repro {
namespace {

constexpr std::size_t most_rows = 30;         // of a block
constexpr std::size_t least_value_rows = 10;  // of those kept for tensors whose values differ
constexpr std::size_t most_first_differences = 3;
constexpr std::size_t most_histogram_lines = 12;

using Rows = std::span<const TensorDiff* const>;

std::string side_line(const char* label, const DiffSide& side) {
  std::string out = std::string(label) + displayable(side.name) + " (" + displayable(side.format) + ", " +
                    plural(static_cast<std::int64_t>(side.tensors), "tensor") + ")\n";
  for (const std::string& remark : side.remarks) out += "           " + safe_text(remark) + "\n";
  return out;
}

// Missing names, other layouts, leaves: what stands against what.
std::string structure_table(Rows rows, int width) {
  std::vector<std::vector<TableCell>> cells;
  for (const TensorDiff* row : rows) {
    cells.push_back(
        {{std::string(name_of(row->kind)), ""},
         {displayable(row->name), ""},
         {row->kind == DifferenceKind::not_compared ? safe_text(what_of(*row)) : displayable(what_of(*row)),
          ""}});
  }
  return render_table({{"kind", "", false}, {"name", "", false, 0, 24}, {"what", "", false, 0, 16}}, cells,
                      width);
}

std::string values_table(Rows rows, const Rule& rule, int width, bool color) {
  std::vector<TableColumn> columns = {{"tensor", "", false, 0, 24},
                                      {"kind", "", false, 2},
                                      {"differ", "", true, 0},
                                      {"of", "", true, 4},
                                      {"max |diff|", "|diff|", true, 1},
                                      {"max ULP", "ULP", true, 1},
                                      {"worst", "", false, 3},
                                      {"dtype", "", false, 6},
                                      {"shape", "", false, 5}};
  const bool with_rule = rule.type != Rule::Type::bitwise;
  if (with_rule) columns.push_back({"rule", "", false, 0});
  std::vector<std::vector<TableCell>> cells;
  for (const TensorDiff* row : rows) {
    cells.push_back({{displayable(row->name), ""},
                     {std::string(name_of(row->kind)), ""},
                     {thousands(row->different), ""},
                     {thousands(row->values), ""},
                     {row->max_abs() ? rounded(*row->max_abs(), 2) : "-", ""},
                     {row->max_ulp() ? thousands(*row->max_ulp()) : "-", ""},
                     {std::string(words_for(worst_class(row->magnitudes()))), ""},
                     {displayable(dtype_text(*row)), ""},
                     {shape_text_of(*row, "x"), ""}});
    if (!with_rule) continue;
    const bool passes = row->within_rule == true;
    cells.back().push_back({passes ? "passes" : "fails", passes ? "" : warning_style(color)});
  }
  return render_table(columns, cells, width);
}

std::string first_difference(const TensorDiff& row, const ValuePair& pair, int width) {
  std::vector<std::string> index;
  for (const std::uint64_t part : index_in(row.shape, pair.index)) {
    index.push_back(std::to_string(part));
  }
  const std::string where = "[" + join(index, ",") + "]";
  const int room = std::max(24, width - 2 - terminal_width(where));
  return "  " + cut_middle(displayable(row.name), room) + where + "\n" + "    " +
         wrapped(pair.reference + " (" + pair.reference_bits + ") against " + pair.candidate + " (" +
                     pair.candidate_bits + ")" + (pair.ulp.empty() ? "" : ", " + pair.ulp + " ULP"),
                 width - 4, 4);
}

std::string first_differences(Rows rows, int width) {
  std::string out;
  std::size_t shown = 0;
  for (const TensorDiff* row : rows) {
    const auto pair = shown < most_first_differences ? row->first_pair() : std::nullopt;
    if (!pair) continue;
    out += first_difference(*row, *pair, width);
    ++shown;
  }
  return out.empty() ? "" : "\nfirst difference, reference against candidate:\n" + out;
}

std::string histogram(const UlpHistogram& bins, int width) {
  const std::vector<UlpRange> ranges = ulp_ranges(bins, most_histogram_lines);
  if (ranges.empty()) return "";
  std::size_t label = 0, number = 0;
  std::uint64_t largest = 1;
  for (const UlpRange& range : ranges) {
    label = std::max(label, range.text.size());
    number = std::max(number, thousands(range.count).size());
    largest = std::max(largest, range.count);
  }
  const int taken = static_cast<int>(label + number) + 5;
  const auto room = static_cast<std::size_t>(std::clamp(width - taken, 4, 40));
  std::string out = "\nULP    pairs of numbers that are so far apart\n";
  for (const UlpRange& range : ranges) {
    const std::string count = thousands(range.count);
    // Rounded up, so that a single pair shows.
    const auto bar = static_cast<std::size_t>(std::ceil(
        static_cast<double>(range.count) / static_cast<double>(largest) * static_cast<double>(room)));
    out += "  " + std::string(label - range.text.size(), ' ') + range.text + "  " +
           std::string(number - count.size(), ' ') + count + (bar == 0 ? "" : " " + std::string(bar, '#')) +
           "\n";
  }
  return out;
}

std::string totals_lines(const SnapshotDiff& diff, const DiffTotals& totals, int width) {
  std::string out;
  // Labels are padded to the same width, which is also what further lines are indented by.
  const auto line = [&](const char* label, const std::string& text) {
    if (!text.empty()) out += label + wrapped(text, width - 9, 9);
  };
  std::string kinds = kinds_text(totals);
  if (totals.tied > 0) {
    kinds += "; " + plural(static_cast<std::int64_t>(totals.tied), "more name") + " tied to them";
  }
  line("tensors: ", kinds);
  line("values:  ", thousands(diff.values_different) + " of " + thousands(diff.values_compared) + " differ");
  line("sizes:   ", magnitudes_text(totals.magnitudes));
  line("leaves:  ", leaves_text(diff, totals));
  line("ignored: ", diff.ignored > 0 ? ignored_text(diff.ignored) : "");
  return out;
}

// The tables of what differs; nothing where all is equal.
std::string tables(const SnapshotDiff& diff, const Rule& rule, const TextOptions& options) {
  std::vector<const TensorDiff*> all = worst_first(diff);
  // The row that a name is tied to says the same.
  std::erase_if(all, [](const TensorDiff* row) { return !row->alias_of.empty(); });
  const auto parted =
      std::partition_point(all.begin(), all.end(), [](auto* row) { return !has_values(*row); });
  const auto structure = static_cast<std::size_t>(parted - all.begin());
  const std::size_t values = all.size() - structure;
  const std::size_t shown_structure = std::min(structure, most_rows - std::min(values, least_value_rows));
  const std::size_t shown_values = std::min(values, most_rows - shown_structure);
  const Rows value_rows = Rows(all).subspan(structure, shown_values);
  std::string out;
  if (shown_structure > 0) {
    out += structure_table(Rows(all).first(shown_structure), options.width);
    if (structure > shown_structure) {
      out +=
          "and " + thousands(static_cast<std::uint64_t>(structure - shown_structure)) + " more such rows\n";
    }
    if (shown_values > 0) out += "\n";
  }
  if (shown_values > 0) out += values_table(value_rows, rule, options.width, options.color);
  if (const std::size_t left = all.size() - shown_structure - shown_values; left > 0) {
    out += wrapped("and " + thousands(static_cast<std::uint64_t>(left)) +
                       " more rows in all: --json prints every one, --csv DIR writes them",
                   options.width, 2);
  }
  return out + first_differences(value_rows, options.width);
}

std::string block(const DiffComparison& comparison, const Rule& rule, const TextOptions& options) {
  const SnapshotDiff& diff = comparison.diff;
  const DiffTotals totals = totals_of(diff);
  std::string out = tables(diff, rule, options) + histogram(totals.ulp_histogram, options.width);
  if (!out.empty()) out += "\n";
  out += totals_lines(diff, totals, options.width);
  for (const std::string& hint : comparison.hints) {
    out += note_lines({Note::Kind::hint, hint, {}}, options.color);
  }
  return out;
}

// Of several comparisons those without any difference take a line each.
std::string one_of_several(const DiffResult& result, const DiffComparison& comparison,
                           const TextOptions& options) {
  const SnapshotDiff& diff = comparison.diff;
  const bool same_reference = comparison.reference.name == result.comparisons[0].reference.name;
  const std::string verdict =
      styled(std::string(name_of(diff.verdict)), style_of(diff.verdict, options.color));
  std::string out = displayable(comparison.candidate.name) +
                    (same_reference ? "" : " against " + displayable(comparison.reference.name)) + ": " +
                    verdict;
  if (diff.verdict == Verdict::identical && totals_of(diff).all_equal) {
    return out + ", " + plural(static_cast<std::int64_t>(diff.tensors_compared), "tensor") + ", " +
           plural(static_cast<std::int64_t>(diff.values_compared), "value") + "\n";
  }
  out = "\n" + out + "\n";
  if (!same_reference) out += side_line("reference: ", comparison.reference);
  return out + side_line("candidate: ", comparison.candidate) + block(comparison, result.rule, options) +
         "\n";
}

}  // namespace

std::string render_diff_text(const DiffResult& result, const TextOptions& options) {
  std::string out;
  if (!result.comparisons.empty()) out += side_line("reference: ", result.comparisons[0].reference);
  if (result.comparisons.size() == 1) {
    const DiffComparison& comparison = result.comparisons[0];
    out += side_line("candidate: ", comparison.candidate);
    if (!totals_of(comparison.diff).all_equal) out += "\n";
    out += block(comparison, result.rule, options);
  } else {
    for (const DiffComparison& comparison : result.comparisons)
      out += one_of_several(result, comparison, options);
  }
  for (const std::string& note : result.notes) out += note_lines({Note::Kind::runs, note, {}}, options.color);
  if (!options.report_path.empty()) out += "report: " + displayable(options.report_path) + "\n";
  return out + verdict_text(result.verdict_line, result.verdict, options.color);
}

}  // namespace repro

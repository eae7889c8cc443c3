#include "repro/report/markdown_parts.h"

#include <algorithm>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/row_facts.h"

namespace repro {
namespace {

constexpr std::size_t most_rows = 50;  // of one comparison
constexpr int most_comparisons = 10;

std::string kind_cell(const TensorDiff& row) {
  std::string text = words_of(name_of(row.kind));
  if (row.is_leaf || !row.reason.empty()) text += ": " + markdown_text(what_of(row));
  if (!row.alias_of.empty()) text += ", tied to " + markdown_code(row.alias_of);
  return text;
}

std::string row_of(const TensorDiff& row) {
  return markdown_row({markdown_code(row.name), markdown_text(dtype_text(row)),
                       markdown_text(shape_text_of(row, "x")), kind_cell(row),
                       has_values(row) ? thousands(row.different) + " of " + thousands(row.values) : "",
                       markdown_number(row.max_abs()), markdown_count(row.max_ulp())});
}

std::string differing_tensors(const ComparisonView& view, const std::string& all_rows) {
  const std::vector<const TensorDiff*> rows = shown_rows(view);
  if (rows.empty()) return "";
  std::string out = "### " + markdown_text(view.title) +
                    "\n\n"
                    "| tensor | dtype | shape | kind | different | max \\|diff\\| | max ULP |\n"
                    "|:--|:--|:--|:--|--:|--:|--:|\n";
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) out += row_of(*rows[i]);
  out += "\n";
  if (rows.size() > most_rows) {
    out += "Left out here: " + thousands(static_cast<std::uint64_t>(rows.size() - most_rows)) +
           " more tensors; " + all_rows + " has all.\n\n";
  }
  return out;
}

}  // namespace

std::string markdown_row(const std::vector<std::string>& cells) { return "| " + join(cells, " | ") + " |\n"; }

std::string markdown_number(const std::optional<double>& value) { return value ? rounded(*value) : ""; }
std::string markdown_count(const std::optional<std::uint64_t>& value) {
  return value ? thousands(*value) : "";
}

std::string markdown_differences(std::span<const ComparisonView> views, const std::string& all_rows,
                                 const std::string& all_comparisons) {
  std::string out;
  int shown = 0;
  int left_out = 0;
  for (const ComparisonView& view : views) {
    if (shown == most_comparisons) {
      left_out += differing_rows(*view.diff).empty() ? 0 : 1;
      continue;
    }
    const std::string part = differing_tensors(view, all_rows);
    out += part;
    shown += part.empty() ? 0 : 1;
  }
  if (left_out > 0) {
    out += "Left out here: " + plural(left_out, "more comparison") + "; " + all_comparisons + " has all.\n";
  }
  return out;
}

}  // namespace repro

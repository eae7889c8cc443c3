// The table of tensors: differing ones first, equal ones folded away; usable with thousands of tensors.
#include <algorithm>
#include <span>

#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/totals.h"

namespace repro::html {
namespace {

constexpr std::size_t most_rows = 2000;       // of one table
constexpr std::size_t open_rows = 100;        // of those, not folded away
constexpr std::size_t most_comparisons = 20;  // that differ, shown with a table
constexpr std::size_t most_groups = 100;      // whose first comparison is shown in any case

std::string different_cell(const TensorDiff& tensor) {
  if (!has_values(tensor)) return "<span class=\"none\">–</span>";
  const std::uint64_t percent =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(100 * static_cast<double>(tensor.different) /
                                                            static_cast<double>(tensor.values)));
  return thousands(tensor.different) + " of " + thousands(tensor.values) +
         "<div class=\"cell-bar\"><i style=\"width:" + std::to_string(percent) + "%\"></i></div>";
}

std::string words(const std::string& text) { return "<div class=\"words\">" + html_text(text) + "</div>"; }

// Foreign types may be called anything.
std::string dtype_cell(const TensorDiff& tensor) {
  const std::string text = dtype_text(tensor);
  return text.size() > 24 ? words(text) : html_text(text);
}

std::string kind_cell(const TensorDiff& tensor) {
  std::string text = words_of(name_of(tensor.kind));
  // Dtypes and shapes have columns of their own.
  if (tensor.is_leaf || !tensor.reason.empty()) {
    text += words(what_of(tensor));
  }
  if (!tensor.alias_of.empty()) text += ", tied to " + code(tensor.alias_of);
  if (tensor.kind != DifferenceKind::equal && tensor.within_rule == true) text += " (within the rule)";
  return text;
}

std::string shape_cell(const TensorDiff& tensor) {
  const std::string text = shape_text_of(tensor, "×");
  if (tensor.is_leaf) return "no tensor";
  return text.empty() ? "scalar" : html_text(text);
}

std::string role_cell(const TensorDiff& tensor) {
  return tensor.role == Role::none ? "" : std::string(name_of(tensor.role));
}

std::vector<std::string> row_of(const TensorDiff& tensor, bool with_roles) {
  std::vector<std::string> cells = {code(tensor.name),
                                    kind_cell(tensor),
                                    dtype_cell(tensor),
                                    shape_cell(tensor),
                                    different_cell(tensor),
                                    optional_number(tensor.max_abs()),
                                    optional_count(tensor.max_ulp()),
                                    optional_number(tensor.max_relative()),
                                    optional_number(tensor.rms())};
  if (with_roles) cells.push_back(role_cell(tensor));
  return cells;
}

std::string rows_table(std::span<const TensorDiff* const> tensors) {
  std::vector<Column> columns = {{"tensor"},          {"kind"},
                                 {"dtype"},           {"shape"},
                                 {"different", true}, {"max |diff|", true},
                                 {"max ULP", true},   {"max relative", true},
                                 {"rms", true}};
  const bool with_roles =
      std::any_of(tensors.begin(), tensors.end(), [](auto* tensor) { return tensor->role != Role::none; });
  if (with_roles) columns.push_back({"role"});
  std::vector<std::vector<std::string>> rows;
  for (const TensorDiff* tensor : tensors) rows.push_back(row_of(*tensor, with_roles));
  return table(columns, rows);
}

std::string table_of(const std::vector<const TensorDiff*>& tensors, const std::string& all_at) {
  const auto shown = std::span(tensors).first(std::min(tensors.size(), most_rows));
  const std::size_t open = std::min(shown.size(), open_rows);
  std::string out = rows_table(shown.first(open));
  if (open < shown.size()) {
    out += details(plural(static_cast<std::int64_t>(shown.size() - open), "more differing tensor"),
                   rows_table(shown.subspan(open)));
  }
  if (tensors.size() > most_rows) {
    out += "<p class=\"left-out\">Left out: " +
           thousands(static_cast<std::uint64_t>(tensors.size() - most_rows)) + " more tensors; " +
           html_text(all_at) + ".</p>\n";
  }
  return out;
}

// Equal tensors need few columns.
std::string equal_table(const std::vector<const TensorDiff*>& tensors) {
  std::vector<std::vector<std::string>> rows;
  for (const TensorDiff* tensor : tensors) {
    if (rows.size() == most_rows) break;
    rows.push_back(
        {code(tensor->name), role_cell(*tensor), dtype_cell(*tensor), shape_cell(*tensor),
         thousands(tensor->values),
         tensor->reference_sha256.empty() ? "" : code(tensor->reference_sha256.text().substr(0, 16) + "…")});
  }
  std::string out = table({{"tensor"}, {"role"}, {"dtype"}, {"shape"}, {"values", true}, {"SHA-256"}}, rows);
  if (tensors.size() > most_rows) {
    out += "<p class=\"left-out\">Left out: " +
           thousands(static_cast<std::uint64_t>(tensors.size() - most_rows)) + " more.</p>\n";
  }
  return out;
}

// "14 tensors equal bit for bit (12,609 values), 3 equal leaves"
std::string equal_summary(const DiffTotals& totals, std::size_t tied) {
  std::string out = plural(static_cast<std::int64_t>(totals.of(DifferenceKind::equal)), "tensor") +
                    " equal bit for bit (" + thousands(totals.equal_values) + " values)";
  if (tied > 0) out += ", " + plural(static_cast<std::int64_t>(tied), "more name") + " tied to them";
  if (totals.equal_leaves > 0) {
    out +=
        ", " + thousands(totals.equal_leaves) + (totals.equal_leaves == 1 ? " equal leaf" : " equal leaves");
  }
  return out;
}

std::string comparison_part(const ComparisonView& view, bool with_equal, const std::string& all_at) {
  const std::vector<const TensorDiff*> differing = shown_rows(view);
  std::vector<const TensorDiff*> equal;
  std::size_t tied = 0;
  for (const TensorDiff& tensor : view.diff->tensors) {
    if (tensor.kind != DifferenceKind::equal) continue;
    equal.push_back(&tensor);
    if (!tensor.alias_of.empty()) ++tied;
  }
  std::string out = "<h3>" + html_text(view.title) + " " + badge(view.diff->verdict) + "</h3>\n";
  if (differing.empty() && equal.empty()) return out + "<p class=\"quiet\">No tensor.</p>\n";
  if (!differing.empty()) out += table_of(differing, all_at);
  if (equal.empty()) return out;
  const std::string summary = equal_summary(totals_of(*view.diff), tied);
  return out +
         (with_equal ? details(summary, equal_table(equal)) : "<p class=\"quiet\">" + summary + "</p>\n");
}

}  // namespace

std::string tensor_tables(std::span<const ComparisonView> views, const std::string& all_at) {
  std::string out;
  std::string identical;  // further comparisons of a group without any difference: one line each
  std::size_t shown = 0;
  std::size_t left_out = 0;
  const std::string* last_group = nullptr;
  for (const ComparisonView& view : views) {
    const bool first_of_group = last_group == nullptr || view.group != *last_group;
    last_group = &view.group;
    const bool all_equal = totals_of(*view.diff).all_equal;
    if (all_equal && !first_of_group) {
      identical += "<li>" + html_text(view.title) + "</li>\n";
    } else if (shown < most_comparisons || (first_of_group && shown < most_groups)) {
      out += comparison_part(view, first_of_group, all_at);
      ++shown;
    } else {
      ++left_out;
    }
  }
  if (!identical.empty())
    out += details("further comparisons without any difference",
                   "<ul class=\"quiet\">\n" + identical + "</ul>\n");
  if (left_out > 0) {
    out +=
        "<p class=\"left-out\">Left out: " + plural(static_cast<std::int64_t>(left_out), "more comparison") +
        "; " + html_text(all_at) + ".</p>\n";
  }
  return out;
}

}  // namespace repro::html

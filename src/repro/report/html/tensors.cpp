// The table of tensors: differing ones first, equal ones folded away; usable with thousands of tensors.
#include <algorithm>
#include <span>

#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"
#include "repro/report/run_tensors.h"

namespace repro::html {
namespace {

constexpr std::size_t most_rows = 2000;       // of one table
constexpr std::size_t open_rows = 100;        // of those, not folded away
constexpr std::size_t most_comparisons = 20;  // that differ, shown with a table

std::string different_cell(const TensorDiff& tensor) {
  if (!has_values(tensor)) return "<span class=\"none\">–</span>";
  if (tensor.different == 0) return "0";
  const std::uint64_t percent = std::max<std::uint64_t>(1, tensor.different * 100 / tensor.values);
  return thousands(tensor.different) + "<div class=\"cell-bar\"><i style=\"width:" + std::to_string(percent) +
         "%\"></i></div>";
}

std::string kind_cell(const TensorDiff& tensor) {
  std::string text = words_of(name_of(tensor.kind));
  if (!tensor.reason.empty()) text += ": " + html_text(tensor.reason);
  if (tensor.kind != DifferenceKind::equal && tensor.within_rule == true) text += " (within the rule)";
  return text;
}

std::string shape_cell(const TensorDiff& tensor) {
  const std::string text = shape_text_of(tensor, "×");
  return text.empty() ? "scalar" : html_text(text);
}

std::string role_cell(const TensorDiff& tensor) {
  return tensor.role == Role::none ? "" : std::string(name_of(tensor.role));
}

std::vector<std::string> row_of(const TensorDiff& tensor) {
  return {code(tensor.name),
          kind_cell(tensor),
          different_cell(tensor),
          has_values(tensor) ? thousands(tensor.values) : "<span class=\"none\">–</span>",
          optional_number(tensor.max_abs),
          optional_count(tensor.max_ulp),
          optional_number(tensor.max_relative),
          optional_number(tensor.rms),
          html_text(dtype_text(tensor)),
          shape_cell(tensor),
          role_cell(tensor)};
}

std::string rows_table(std::span<const TensorDiff* const> tensors) {
  std::vector<std::vector<std::string>> rows;
  for (const TensorDiff* tensor : tensors) rows.push_back(row_of(*tensor));
  return table({{"tensor"},
                {"kind"},
                {"different", true},
                {"values", true},
                {"max |diff|", true},
                {"max ULP", true},
                {"max relative", true},
                {"rms", true},
                {"dtype"},
                {"shape"},
                {"role"}},
               rows);
}

std::string table_of(const std::vector<const TensorDiff*>& tensors) {
  const auto shown = std::span(tensors).first(std::min(tensors.size(), most_rows));
  const std::size_t open = std::min(shown.size(), open_rows);
  std::string out = rows_table(shown.first(open));
  if (open < shown.size()) {
    out += details(plural(static_cast<std::int64_t>(shown.size() - open), "more differing tensor"),
                   rows_table(shown.subspan(open)));
  }
  if (tensors.size() > most_rows) {
    out += "<p class=\"left-out\">Left out: " +
           thousands(static_cast<std::uint64_t>(tensors.size() - most_rows)) +
           " more tensors; tensors.csv has all.</p>\n";
  }
  return out;
}

// Equal tensors need few columns.
std::string equal_table(const std::vector<const TensorDiff*>& tensors) {
  std::vector<std::vector<std::string>> rows;
  for (const TensorDiff* tensor : tensors) {
    if (rows.size() == most_rows) break;
    rows.push_back(
        {code(tensor->name), role_cell(*tensor), html_text(reference_dtype(*tensor)), shape_cell(*tensor),
         thousands(tensor->values),
         tensor->reference_sha256.empty() ? "" : code(tensor->reference_sha256.substr(0, 16) + "…")});
  }
  std::string out = table({{"tensor"}, {"role"}, {"dtype"}, {"shape"}, {"values", true}, {"SHA-256"}}, rows);
  if (tensors.size() > most_rows) {
    out += "<p class=\"left-out\">Left out: " +
           thousands(static_cast<std::uint64_t>(tensors.size() - most_rows)) + " more.</p>\n";
  }
  return out;
}

std::string comparison_part(const Comparison& comparison, bool with_equal) {
  std::vector<const TensorDiff*> differing, equal;
  for (const TensorDiff& tensor : comparison.diff.tensors) {
    (tensor.kind == DifferenceKind::equal ? equal : differing).push_back(&tensor);
  }
  std::string out =
      "<h3>" + html_text(pair_text(comparison)) + " " + badge(comparison.diff.verdict) + "</h3>\n";
  if (differing.empty() && equal.empty()) return out + "<p class=\"quiet\">No tensor.</p>\n";
  if (!differing.empty()) out += table_of(differing);
  if (equal.empty()) return out;
  std::uint64_t values = 0;
  for (const TensorDiff* tensor : equal) values += tensor->values;
  const std::string summary =
      plural(std::ssize(equal), "tensor") + " equal bit for bit (" + thousands(values) + " values)";
  return out +
         (with_equal ? details(summary, equal_table(equal)) : "<p class=\"quiet\">" + summary + "</p>\n");
}

}  // namespace

std::string tensor_tables(const AuditResult& audit) {
  std::string out;
  std::string identical;  // further comparisons of a group without any difference: one line each
  std::size_t shown = 0;
  std::size_t left_out = 0;
  std::string last_group;
  for (const Comparison& comparison : audit.comparisons) {
    const bool first_of_group = comparison.group != last_group;
    last_group = comparison.group;
    const auto& tensors = comparison.diff.tensors;
    const bool all_equal = std::all_of(tensors.begin(), tensors.end(), [](const TensorDiff& tensor) {
      return tensor.kind == DifferenceKind::equal;
    });
    if (all_equal && !first_of_group) {
      identical += "<li>" + html_text(pair_text(comparison)) + "</li>\n";
    } else if (shown < most_comparisons || first_of_group) {
      out += comparison_part(comparison, first_of_group);
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
        " with differences; report.json has all.</p>\n";
  }
  return out;
}

}  // namespace repro::html

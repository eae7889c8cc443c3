#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repro/report/comparison_view.h"

namespace repro {

// Building blocks of the Markdown documents. Cells are Markdown.
std::string markdown_row(const std::vector<std::string>& cells);
std::string markdown_number(const std::optional<double>& value);  // "" if absent
std::string markdown_count(const std::optional<std::uint64_t>& value);

// Where the runs of an audit parted: details, and what stands around it as a table; "" if none did.
std::string markdown_first_divergence(const AuditResult& audit);

// The rows that are not equal, a table for each comparison that has any: at most 50 rows and 10 comparisons;
// `all_rows` and `all_comparisons` are where the rest can be found.
std::string markdown_differences(std::span<const ComparisonView> views, const std::string& all_rows,
                                 const std::string& all_comparisons);

}  // namespace repro

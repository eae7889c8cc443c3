#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repro/audit/diff_result.h"
#include "repro/report/json.h"
#include "repro/report/report.h"

namespace repro {

// What `diff` found, in several renderings. All are pure functions of their arguments and of the tensors
// that DiffComparison::tensors gives; only the CSV files, plots and pages read tensors. Names, leaves and
// reasons may hold anything and are escaped for the document. Error{input} where reading values fails,
// except in the page, which then says so in the plot's place.

// For people: what differs, worst first, then totals, hints and, last, the verdict line. `report_path`
// as for audits.
std::string render_diff_text(const DiffResult& result, const TextOptions& options);

// The contract's "repro-train/diff", with every row. Written piece by piece: besides the result memory is
// that of one row and of a buffer of 64 KiB.
void write_diff_json(const DiffResult& result, const TextSink& sink);
std::string render_diff_json(const DiffResult& result);

std::string render_diff_html(const DiffResult& result);
std::string render_diff_markdown(const DiffResult& result);

// tensors.csv, and for each tensor whose values differ <tensor>.csv and <tensor>.svg; tensors that are equal
// get a <tensor>.csv only if all rows are asked for explicitly. With several comparisons each has a folder
// of its own, "001-b.pt". The folder is made if need be. Returns what was left out, a line for each
// comparison that was cut. Error{unavailable} if a file cannot be written.
std::vector<std::string> write_diff_csv(const DiffResult& result, const fs::path& folder,
                                        const CsvOptions& options);

// A bar plot of `tensor`'s differences in the terminal, `width` columns. Error{request} naming near names if
// there is no such tensor.
std::string render_diff_plot(const DiffComparison& comparison, const std::string& tensor, int width,
                             bool color);

}  // namespace repro

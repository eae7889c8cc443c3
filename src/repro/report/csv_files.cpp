#include "repro/report/csv_files.h"

#include <array>
#include <system_error>

#include "repro/base/csv.h"
#include "repro/base/text.h"
#include "repro/compare/pairs.h"
#include "repro/report/diff_report.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/plot_data.h"
#include "repro/report/row_facts.h"
#include "repro/report/svg_plot.h"

namespace repro {
namespace {

void write_values(const fs::path& path, const TensorPair& pair, RowQuota quota) {
  AtomicText file(path);
  file.append("index,reference,candidate,difference,ulp,reference_bits,candidate_bits\n");
  visit_pairs(*pair.reference, *pair.candidate, quota.equal == 0, [&](const ValuePair& value) {
    std::uint64_t& left = value.bits_differ ? quota.different : quota.equal;
    if (left == 0) return;
    --left;
    const std::array<std::string, 7> fields = {
        std::to_string(value.index), value.reference,     value.candidate, value.difference, value.ulp,
        value.reference_bits,        value.candidate_bits};
    file.append(csv_row(fields));
  });
  file.finish();
}

void write_plot(const fs::path& path, const ComparisonView& view, const TensorDiff& tensor,
                const TensorPair& pair) {
  const PlotData data = plot_data(pair, most_bars, titles_for(tensor.role));
  write_file(path, standalone_svg(data, displayable(tensor.name) + ": " + displayable(view.title)));
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::unavailable,
                "cannot make the folder " + displayable(folder.string()) + ": " + failure.message());
  }
}

bool differs(const TensorDiff& tensor) { return tensor.kind != DifferenceKind::equal; }

// What the rows of those tensors leave out that have a file.
std::string cut_note(const ComparisonView& view, const std::vector<RowQuota>& quotas, const CsvScope& scope) {
  std::uint64_t cut = 0;
  std::uint64_t cut_different = 0;
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    const TensorDiff& tensor = view.diff->tensors[i];
    if (!has_values(tensor) || !(scope.equal_values || differs(tensor))) continue;
    cut += tensor.values - quotas[i].different - quotas[i].equal;
    cut_different += tensor.different - quotas[i].different;
  }
  if (cut == 0) return "";
  return "the CSV files of " + displayable(view.title) + " leave out " + thousands(cut) + " rows, " +
         (cut_different == 0 ? "none of them differing" : thousands(cut_different) + " of them differing") +
         "; --csv-rows all writes every row";
}

// "001-b.pt": the last part of a path is enough beside the number.
std::string folder_for(const DiffComparison& comparison, std::size_t number) {
  const std::string digits = std::to_string(number);
  const std::string stem = file_name_for(fs::path(comparison.candidate.name).filename().string());
  return std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits + "-" + stem;
}

}  // namespace

std::string write_comparison_files(const ComparisonView& view, const fs::path& folder,
                                   const CsvOptions& options, const CsvScope& scope) {
  make_folder(folder);
  AtomicText table(folder / "tensors.csv");
  write_tensors_csv(*view.diff, [&](std::string_view text) { table.append(text); });
  table.finish();
  const std::vector<RowQuota> quotas = row_quotas(*view.diff, options, scope);
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    const TensorDiff& tensor = view.diff->tensors[i];
    const bool values = options.rows != CsvRows::none && (scope.equal_values || differs(tensor));
    const bool plot = tensor.name == scope.plotted || differs(tensor);
    if (!has_values(tensor) || (!values && !plot)) continue;
    const TensorUse use(view.tensors(tensor));
    if (!use) continue;
    const std::string stem = file_name_for(tensor.name);
    if (values) write_values(folder / (stem + ".csv"), use.pair(), quotas[i]);
    if (plot) write_plot(folder / (stem + ".svg"), view, tensor, use.pair());
  }
  return options.rows == CsvRows::all ? cut_note(view, quotas, scope) : "";
}

std::vector<std::string> write_differences(const AuditResult& audit, const fs::path& audit_directory,
                                           const CsvOptions& options) {
  std::vector<std::string> notes;
  const CsvScope scope = {true, first_learnable(audit)};
  for (const Comparison& comparison : audit.comparisons) {
    const fs::path folder = audit_directory / "diff" /
                            (run_name(comparison.group, comparison.candidate) + "-vs-" +
                             run_name(comparison.group, comparison.reference));
    std::string note = write_comparison_files(view_of(audit, comparison), folder, options, scope);
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

std::vector<std::string> write_diff_csv(const DiffResult& result, const fs::path& folder,
                                        const CsvOptions& options) {
  std::vector<std::string> notes;
  const CsvScope scope = {options.rows == CsvRows::all && options.explicit_rows, ""};
  for (std::size_t i = 0; i < result.comparisons.size(); ++i) {
    const DiffComparison& comparison = result.comparisons[i];
    const fs::path own = result.comparisons.size() == 1 ? folder : folder / folder_for(comparison, i + 1);
    std::string note = write_comparison_files(view_of(comparison), own, options, scope);
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace repro

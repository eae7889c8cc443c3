#include "repro/report/csv_files.h"

#include <array>
#include <system_error>

#include "repro/base/csv.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/plot_data.h"
#include "repro/report/run_tensors.h"
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

void write_plot(const fs::path& path, const Comparison& comparison, const TensorDiff& tensor,
                const TensorPair& pair) {
  const PlotData data = plot_data(differences_of(pair), most_bars, titles_for(tensor.role));
  const std::string title = displayable(tensor.name) + ": " + pair_text(comparison);
  write_file(path, standalone_svg(data, title));
}

fs::path folder_of(const fs::path& audit_directory, const Comparison& comparison) {
  return audit_directory / "diff" /
         (run_name(comparison.group, comparison.candidate) + "-vs-" +
          run_name(comparison.group, comparison.reference));
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::unavailable,
                "cannot make the folder " + displayable(folder.string()) + ": " + failure.message());
  }
}

// What the rows leave out, "" if nothing.
std::string cut_note(const Comparison& comparison, const std::vector<RowQuota>& quotas) {
  std::uint64_t cut = 0;
  std::uint64_t cut_different = 0;
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    const TensorDiff& tensor = comparison.diff.tensors[i];
    if (!has_values(tensor)) continue;
    cut += tensor.values - quotas[i].different - quotas[i].equal;
    cut_different += tensor.different - quotas[i].different;
  }
  if (cut == 0) return "";
  return "the CSV files of " + pair_text(comparison) + " leave out " + thousands(cut) + " rows, " +
         (cut_different == 0 ? "none of them differing" : thousands(cut_different) + " of them differing") +
         "; --csv-rows all writes every row";
}

}  // namespace

std::vector<std::string> write_differences(const AuditResult& audit, const fs::path& audit_directory,
                                           const CsvOptions& options) {
  std::vector<std::string> notes;
  const std::string first = first_learnable(audit);
  for (const Comparison& comparison : audit.comparisons) {
    const ComparisonTensors tensors(audit, comparison);
    const std::vector<RowQuota> quotas = row_quotas(comparison.diff, options);
    const fs::path folder = folder_of(audit_directory, comparison);
    make_folder(folder);
    write_file(folder / "tensors.csv", tensors_csv(comparison.diff));
    for (std::size_t i = 0; i < quotas.size(); ++i) {
      const TensorDiff& tensor = comparison.diff.tensors[i];
      const TensorPair pair = tensors.find(tensor);
      if (pair.reference == nullptr) continue;
      const std::string stem = file_name_for(tensor.name);
      if (options.rows != CsvRows::none) write_values(folder / (stem + ".csv"), pair, quotas[i]);
      if (tensor.name == first || tensor.kind != DifferenceKind::equal) {
        write_plot(folder / (stem + ".svg"), comparison, tensor, pair);
      }
    }
    if (options.rows == CsvRows::all) {
      if (std::string note = cut_note(comparison, quotas); !note.empty()) notes.push_back(note);
    }
  }
  return notes;
}

}  // namespace repro

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/report/comparison_view.h"
#include "repro/report/json.h"
#include "repro/report/report.h"

namespace repro {

// tensors.csv of one comparison, row by row.
void write_tensors_csv(const SnapshotDiff& diff, const TextSink& sink);

// Which tensors get files of their own besides those whose values differ.
struct CsvScope {
  bool equal_values = true;  // a <tensor>.csv for equal ones as well
  std::string plotted;       // a <tensor>.svg for this one in any case; "" for none
};

// How many rows of one tensor's CSV are written, in index order: the first `different` of those that
// differ and the first `equal` of the others.
struct RowQuota {
  std::uint64_t different = 0;
  std::uint64_t equal = 0;
};
// Rows of every tensor of a comparison under the options. Above the limit differing rows of all tensors
// come first, then equal ones, both in tensor order.
std::vector<RowQuota> row_quotas(const SnapshotDiff& diff, const CsvOptions& options, const CsvScope& scope);

// tensors.csv, <tensor>.csv and <tensor>.svg of one comparison; makes the folder. Returns what the rows
// leave out, "" if nothing. Error{unavailable} if something cannot be written, Error{input} if values cannot
// be read.
std::string write_comparison_files(const ComparisonView& view, const fs::path& folder,
                                   const CsvOptions& options, const CsvScope& scope);

// Writes text of any length all or nothing: small ones through write_file, large ones grow under a
// temporary name. Nothing is at `path` before finish().
class AtomicText {
 public:
  explicit AtomicText(fs::path path) : path_(std::move(path)) {}
  AtomicText(const AtomicText&) = delete;
  AtomicText& operator=(const AtomicText&) = delete;
  ~AtomicText();
  void append(std::string_view text);
  void finish();

 private:
  fs::path path_;
  fs::path temporary_;
  std::string buffer_;
  std::unique_ptr<GrowingFile> file_;
};

}  // namespace repro

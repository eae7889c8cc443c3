#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/compare/diff.h"
#include "repro/report/report.h"

namespace repro {

// tensors.csv of one comparison.
std::string tensors_csv(const SnapshotDiff& diff);

// How many rows of one tensor's CSV are written, in index order: the first `different` of those that
// differ and the first `equal` of the others.
struct RowQuota {
  std::uint64_t different = 0;
  std::uint64_t equal = 0;
};
// Rows of every tensor of a comparison under the options. Above the limit differing rows of all tensors
// come first, then equal ones, both in tensor order.
std::vector<RowQuota> row_quotas(const SnapshotDiff& diff, const CsvOptions& options);

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

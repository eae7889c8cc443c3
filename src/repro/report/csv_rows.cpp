#include <algorithm>
#include <system_error>

#include "repro/base/csv.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/csv_files.h"
#include "repro/report/row_facts.h"

namespace repro {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

std::string optional_text(const std::optional<double>& value) { return value ? shortest(*value) : ""; }
std::string optional_text(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : "";
}

// "2;0;1": the row-major index of element `flat`.
std::string index_text(std::span<const std::int64_t> shape, std::uint64_t flat) {
  std::vector<std::string> parts;
  for (const std::uint64_t part : index_in(shape, flat)) parts.push_back(std::to_string(part));
  return join(parts, ";");
}

std::string tensor_row(const TensorDiff& tensor) {
  const std::vector<std::string> fields = {
      tensor.name,
      dtype_text(tensor),
      shape_text_of(tensor, ";"),
      std::string(name_of(tensor.kind)),
      tensor.within_rule ? (*tensor.within_rule ? "true" : "false") : "",
      std::to_string(tensor.values),
      std::to_string(tensor.different),
      tensor.first_different() ? index_text(tensor.shape, *tensor.first_different()) : "",
      optional_text(tensor.max_abs()),
      optional_text(tensor.mean_abs()),
      optional_text(tensor.rms()),
      optional_text(tensor.max_relative()),
      optional_text(tensor.max_ulp()),
      std::to_string(tensor.nan_mismatches()),
      std::to_string(tensor.sign_of_zero_mismatches()),
      tensor.reference_sha256,
      tensor.candidate_sha256};
  return csv_row(fields);
}

}  // namespace

void write_tensors_csv(const SnapshotDiff& diff, const TextSink& sink) {
  sink(
      "tensor,dtype,shape,kind,within_rule,values,different,first_different,max_abs,mean_abs,rms,"
      "max_relative,max_ulp,nan_mismatches,sign_of_zero_mismatches,reference_sha256,"
      "candidate_sha256\n");
  for (const TensorDiff& tensor : diff.tensors) sink(tensor_row(tensor));
}

std::vector<RowQuota> row_quotas(const SnapshotDiff& diff, const CsvOptions& options, const CsvScope& scope) {
  std::vector<RowQuota> quotas(diff.tensors.size());
  if (options.rows == CsvRows::none) return quotas;
  const bool limited = options.rows == CsvRows::all && !options.explicit_rows;
  std::uint64_t left = limited ? options.row_limit : ~std::uint64_t{0};
  const auto take = [&](std::uint64_t wanted) {
    const std::uint64_t taken = std::min(wanted, left);
    left -= taken;
    return taken;
  };
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    if (has_values(diff.tensors[i])) quotas[i].different = take(diff.tensors[i].different);
  }
  if (options.rows == CsvRows::different) return quotas;
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    const TensorDiff& tensor = diff.tensors[i];
    if (!has_values(tensor) || !(scope.equal_values || tensor.kind != DifferenceKind::equal)) continue;
    quotas[i].equal = take(tensor.values - tensor.different);
  }
  return quotas;
}

AtomicText::~AtomicText() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void AtomicText::append(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() < buffer_bytes) return;
  if (!file_) {
    temporary_ = path_;
    temporary_ += ".tmp";
    file_ = std::make_unique<GrowingFile>(temporary_);
  }
  file_->write(buffer_);
  buffer_.clear();
}

void AtomicText::finish() {
  if (!file_) {
    write_file(path_, buffer_);
    return;
  }
  file_->write(buffer_);
  file_->flush();
  file_.reset();
  std::error_code failure;
  fs::rename(temporary_, path_, failure);
  if (failure) {
    throw Error(ErrorKind::unavailable,
                "cannot write " + displayable(path_.string()) + ": " + failure.message());
  }
  temporary_.clear();
}

}  // namespace repro

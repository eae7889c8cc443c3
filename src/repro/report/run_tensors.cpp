#include "repro/report/run_tensors.h"

#include "repro/base/error.h"
#include "repro/report/facts.h"
#include "repro/report/row_facts.h"

namespace repro {
namespace {

const fs::path& directory_of(const AuditResult& audit, const std::string& group, std::int64_t index) {
  const RunResult* run = find_run(audit, group, index);
  if (run == nullptr) {
    throw Error(ErrorKind::bug,
                "a comparison names run " + run_name(group, index) + ", which the audit does not have");
  }
  return run->directory;
}

}  // namespace

RunTensors::RunTensors(const fs::path& run_directory) {
  files_.emplace_back(run_directory / "weights.safetensors");
  const fs::path predictions = run_directory / "predictions.safetensors";
  if (fs::exists(predictions)) files_.emplace_back(predictions);
  for (const SafetensorsFile& file : files_) {
    for (const NamedTensorView& named : file.tensors()) by_name_[named.name] = named.tensor;
  }
}

const StoredTensor* RunTensors::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

ComparisonTensors::ComparisonTensors(const AuditResult& audit, const Comparison& comparison)
    : reference_(directory_of(audit, comparison.group, comparison.reference)),
      candidate_(directory_of(audit, comparison.group, comparison.candidate)) {}

TensorPair ComparisonTensors::find(const TensorDiff& tensor) const {
  if (!has_values(tensor)) return {};
  const TensorPair pair = {reference_.find(tensor.name), candidate_.find(tensor.name)};
  const bool comparable = pair.reference != nullptr && pair.candidate != nullptr &&
                          pair.reference->dtype == pair.candidate->dtype &&
                          pair.reference->shape == pair.candidate->shape;
  return comparable ? pair : TensorPair{};
}

}  // namespace repro

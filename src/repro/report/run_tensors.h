#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repro/audit/diff_result.h"
#include "repro/audit/result.h"
#include "repro/snapshot/safetensors.h"

namespace repro {

// The tensors that decide, of one finished run: weights.safetensors and, where there is one,
// predictions.safetensors. Tensors stay valid for the lifetime of the object. Error{input} for a file that
// cannot be read.
class RunTensors {
 public:
  explicit RunTensors(const fs::path& run_directory);
  const StoredTensor* find(std::string_view name) const;  // null if there is none

 private:
  std::vector<SafetensorsFile> files_;
  std::map<std::string, StoredTensor, std::less<>> by_name_;
};

// Reference and candidate of a comparison, opened together.
class ComparisonTensors {
 public:
  // Error{bug} if the audit has no such runs.
  ComparisonTensors(const AuditResult& audit, const Comparison& comparison);
  // Both null unless the values of this tensor were compared (same dtype and shape on both sides).
  TensorPair find(const TensorDiff& tensor) const;

 private:
  RunTensors reference_;
  RunTensors candidate_;
};

}  // namespace repro

#pragma once

#include <string>
#include <vector>

#include "repro/audit/result.h"
#include "repro/snapshot/safetensors.h"
#include "support/temporary_folder.h"

namespace repro {

// Tensors that own their memory, in registration order.
struct SampleTensor {
  std::string name;
  Role role = Role::learnable;
  Tensor tensor;
};
using SampleWeights = std::vector<SampleTensor>;

// The autoencoder of MATLAB's example: 14 learnables, 12,609 values, and input.mean. Values are a pure
// function of names and positions.
SampleWeights autoencoder_weights();
// `count` small learnables "block<i>.weight".
SampleWeights many_weights(int count);
// Adds `ulps` to the bits of every `every`-th value of a float32 tensor.
void perturb(SampleWeights& weights, const std::string& tensor, std::size_t every, std::uint32_t ulps);

// An audit with real files on disk, in a temporary folder that goes away with the object.
class SampleAudit {
 public:
  SampleAudit();
  SampleAudit(const SampleAudit&) = delete;
  SampleAudit& operator=(const SampleAudit&) = delete;

  const fs::path& folder() const { return folder_.path(); }
  // A group with one run per snapshot; the comparisons are made by the real compare module.
  void add_group(const std::string& name, const std::vector<SampleWeights>& runs);
  // Turns the last run of the group into a failed one: no files, no comparison.
  void fail_last_run(const std::string& group, const std::string& message,
                     const std::vector<std::string>& log_tail);

  AuditResult audit;

 private:
  TemporaryFolder folder_;
};

Divergence sample_divergence(std::int64_t step, Phase phase, const std::string& tensor);
// Neighbours of a divergence, one of each kind, under its own names.
void surround(Divergence& divergence);
// `rows` gradients, from row r on different in every step behind r + 1, of steps 0 to `last_step`.
DifferenceMap sample_map(const std::string& tensor, int rows, std::int64_t last_step);

}  // namespace repro

#pragma once

#include <optional>
#include <string>

#include "repro/base/files.h"
#include "repro/run/record.h"
#include "repro/run/request.h"
#include "repro/snapshot/trace.h"
#include "repro/train/batches.h"
#include "repro/train/engine.h"

namespace repro {

// Writes what a run leaves behind while it trains: steps.csv, validation.csv and, if asked for, trace.bin,
// all growing in place. Reads state through the engine and changes none of it.
class Recorder {
 public:
  Recorder(const fs::path& directory, TraceLevel level, const Tensor& mean_image);

  // The state after initialisation: record 0 of the trace.
  void initial_state(Engine& engine);
  // Between backward pass and update: loss and gradients.
  void gradients(const ScheduledBatch& batch, float loss, Engine& engine);
  // After the update: learnables, optimiser state, buffers. Gives the fingerprint of the learnables.
  Fingerprint updated(Engine& engine);
  void validation(const ValidationRow& row);
  // Completes the step: its row and its trace record reach the kernel.
  void step(const StepRow& row);

 private:
  void add(Phase phase, std::string_view tensor, const TensorView& value);
  // Adds the learnables' entries and gives their group fingerprint.
  Fingerprint add_state(Phase phase, Engine& engine);

  GrowingFile steps_;
  GrowingFile validation_;
  std::optional<TraceWriter> trace_;
  const Tensor& mean_image_;
  TraceRecord record_;
};

}  // namespace repro

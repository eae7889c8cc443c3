#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/run/record.h"
#include "repro/run/request.h"
#include "repro/snapshot/trace.h"
#include "repro/train/batches.h"
#include "repro/train/engine.h"
#include "repro/train/parting.h"

namespace repro {

// Writes what a run leaves behind while it trains: steps.csv, validation.csv and, if asked for, trace.bin and
// (warn mode) alerts.csv, all growing in place. Reads state through the engine and changes none of it.
class Recorder {
 public:
  // `mean_image` is the network's buffer; it must outlive the recorder.
  Recorder(const fs::path& directory, const RunRequest& request, const Tensor& mean_image);

  // The state after initialisation: record 0 of the trace.
  void initial_state(Engine& engine);
  // In front of the forward pass.
  void batch(const ScheduledBatch& batch, Engine& engine);
  // Between backward pass and update: the operations, loss and gradients.
  void gradients(float loss, Engine& engine);
  // After the update: its operations, learnables, optimiser state, buffers. Gives the fingerprint of the
  // learnables.
  Fingerprint updated(Engine& engine);
  void validation(const ValidationRow& row);
  // Completes the step: its row, its alerts and its trace record reach the kernel.
  void step(const StepRow& row, Engine& engine);
  // True once the run has parted from the trace that it was to part from.
  bool parted() const { return parting_ && parting_->parted(); }

 private:
  void add(TraceSlot slot, Fingerprint value);
  Fingerprint add_tensor(Phase phase, std::string_view name, const TensorView& value);
  void add_operations(Engine& engine);
  // Adds the learnables' slots and gives their group fingerprint.
  Fingerprint add_state(Phase phase, Engine& engine);
  void begin(std::int64_t step, std::int64_t epoch, std::int64_t batch);
  void write_trace();

  GrowingFile steps_;
  GrowingFile validation_;
  std::optional<GrowingFile> alerts_;
  std::optional<TraceWriter> trace_;
  std::optional<Parting> parting_;
  const bool operations_;
  const Tensor& mean_image_;
  TraceRecord record_;  // of the step that is being taken; its layout is set when it is complete
  TraceLayout slots_;
  std::shared_ptr<const TraceLayout> last_layout_;
};

}  // namespace repro

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repro/data/batch.h"
#include "repro/run/record.h"
#include "repro/run/request.h"
#include "repro/train/engine.h"

namespace repro {

// Told what happens while a run trains; changes nothing of it. Called from the training thread.
class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;
  virtual void on_step(const StepRow& row, std::int64_t total_steps) = 0;
  virtual void on_warning(const std::string& message) = 0;
};

struct TrainingSummary {
  std::int64_t steps = 0;
  std::int64_t epochs = 0;  // begun
  bool stopped_early = false;
  bool parted = false;  // ended behind the step in which it parted from request.part_from
  std::optional<std::int64_t> first_nan_step;  // the first step whose loss is not finite
  double step_seconds = 0;                     // median
};

// Trains as request.spec says and leaves the files of a run in `directory`: steps.csv, validation.csv,
// trace.bin, weights.safetensors, predictions.safetensors, samples.safetensors, optimizer.safetensors (as
// asked). The result is the state after the last step (of a training that parted from request.part_from:
// nothing but its trace and first_difference.safetensors counts). Everything that is drawn comes from named
// streams; no generator of the engine is used. Error{unavailable} if nothing would be trained, or if
// request.injection did not take place.
TrainingSummary train(const RunRequest& request, const Dataset& dataset, const Model& model, Engine& engine,
                      const fs::path& directory, TrainingObserver& observer);

}  // namespace repro

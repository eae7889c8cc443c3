#include "repro/train/loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "repro/base/median.h"
#include "repro/run/schedule.h"
#include "repro/train/batches.h"
#include "repro/train/early_stopping.h"
#include "repro/train/outputs.h"
#include "repro/train/recorder.h"

namespace repro {
namespace {

std::vector<NamedTensor> initial_learnables(const Model& model, std::uint32_t seed) {
  std::vector<NamedTensor> out;
  for (const Parameter& parameter : model.parameters) {
    out.push_back({parameter.name, initial_value(parameter, seed)});
  }
  return out;
}

// The state of one training while its steps are taken.
class Loop {
 public:
  Loop(const RunRequest& request, const Dataset& dataset, Engine& engine, const fs::path& directory,
       TrainingObserver& observer)
      : request_(request),
        training_(request.spec.training),
        dataset_(dataset),
        engine_(engine),
        observer_(observer),
        recorder_(directory, request.trace, dataset.mean_image()),
        stopping_(training_.validation_patience),
        total_(total_steps(training_, static_cast<std::int64_t>(dataset.part(Part::train).size()))) {
    if (total_ == 0) {
      throw Error(ErrorKind::unavailable, "nothing to train: there is not one training step",
                  "lower /training/batch_size or raise /training/epochs");
    }
  }

  TrainingSummary run() {
    recorder_.initial_state(engine_);
    BatchSource batches(dataset_, training_, request_.trace != TraceLevel::none);
    auto before = std::chrono::steady_clock::now();
    while (const auto batch = batches.next()) {
      StepRow row = take_step(*batch);
      const bool stop = validate_if_due(row);
      const auto now = std::chrono::steady_clock::now();
      row.seconds = std::chrono::duration<double>(now - before).count();
      before = now;
      seconds_.push_back(row.seconds);
      recorder_.step(row);
      observer_.on_step(row, total_);
      if (stop) {
        summary_.stopped_early = summary_.steps < total_;
        break;
      }
    }
    summary_.step_seconds = median(seconds_);
    return summary_;
  }

 private:
  StepRow take_step(const ScheduledBatch& batch) {
    StepRow row;
    row.step = summary_.steps = batch.step;
    row.epoch = summary_.epochs = batch.epoch;
    row.learning_rate = request_.spec.optimizer.learning_rate;
    row.loss = engine_.forward_backward(batch.data);
    note_loss(row.loss, batch.step);
    recorder_.gradients(batch, row.loss, engine_);
    engine_.update(row.learning_rate);
    row.weights_fingerprint = recorder_.updated(engine_);
    const std::vector<NamedFingerprint> parts = {{"input", batch.input}, {"target", batch.target}};
    row.batch_fingerprint = group_fingerprint(parts);
    return row;
  }

  void note_loss(float loss, std::int64_t step) {
    if (std::isfinite(loss) || summary_.first_nan_step) return;
    summary_.first_nan_step = step;
    observer_.on_warning("the loss is not finite (NaN or infinite) from step " + std::to_string(step) +
                         " on: equal weights would prove nothing");
  }

  // True: the validation patience has run out.
  bool validate_if_due(const StepRow& row) {
    const bool last = row.step == total_;
    const std::int64_t every = training_.validation_every;
    if (!last && (every == 0 || row.step % every != 0)) return false;
    const auto loss = validation_loss(dataset_, engine_, training_.batch_size);
    if (!loss) return false;
    recorder_.validation({row.step, row.epoch, *loss});
    return stopping_.should_stop(*loss);
  }

  const RunRequest& request_;
  const TrainingSpec& training_;
  const Dataset& dataset_;
  Engine& engine_;
  TrainingObserver& observer_;
  Recorder recorder_;
  EarlyStopping stopping_;
  std::int64_t total_;
  std::vector<double> seconds_;
  TrainingSummary summary_;
};

}  // namespace

TrainingSummary train(const RunRequest& request, const Dataset& dataset, const Model& model, Engine& engine,
                      const fs::path& directory, TrainingObserver& observer) {
  Loop loop(request, dataset, engine, directory, observer);
  engine.initialise(model, initial_learnables(model, request.spec.seed.cpu));
  const TrainingSummary summary = loop.run();
  write_weights(directory, engine, dataset.mean_image());
  if (request.save_optimizer) write_optimizer(directory, engine);
  write_predictions(directory, dataset, engine, request.spec.training.batch_size);
  write_samples(directory, dataset, engine);
  return summary;
}

}  // namespace repro

#include "repro/train/loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "repro/base/median.h"
#include "repro/base/text.h"
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

[[noreturn]] void no_such_target(const Injection& injection) {
  throw Error(ErrorKind::request, "there is nothing named '" + displayable(injection.target) + "' in phase " +
                                      std::string(name_of(injection.phase)));
}

void change_element_of(Tensor& tensor, const Injection& injection) {
  const std::size_t size = size_of(tensor.dtype);
  const std::uint64_t count = tensor.storage.size() / size;
  if (injection.index >= count) {
    throw Error(ErrorKind::request, "'" + displayable(injection.target) + "' has " + thousands(count) +
                                        " values, there is no index " + thousands(injection.index));
  }
  change_element(std::span(tensor.storage).subspan(injection.index * size, size), tensor.dtype,
                 injection.change);
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
        mean_image_(dataset.mean_image()),
        recorder_(directory, request, mean_image_),
        stopping_(training_.validation_patience),
        total_(total_steps(training_, static_cast<std::int64_t>(dataset.part(Part::train).size()))) {
    if (total_ == 0) {
      throw Error(ErrorKind::unavailable, "nothing to train: there is not one training step",
                  "lower /training/batch_size or raise /training/epochs");
    }
  }

  TrainingSummary run() {
    inject_into_state(0, {Phase::initialisation});
    recorder_.initial_state(engine_);
    BatchSource batches(dataset_, training_, request_.trace != TraceLevel::none);
    auto before = std::chrono::steady_clock::now();
    while (auto batch = batches.next()) {
      StepRow row = take_step(*batch);
      const bool stop = validate_if_due(row);
      const auto now = std::chrono::steady_clock::now();
      row.seconds = std::chrono::duration<double>(now - before).count();
      before = now;
      seconds_.push_back(row.seconds);
      recorder_.step(row, engine_);
      observer_.on_step(row, total_);
      summary_.parted = recorder_.parted();
      if (stop || summary_.parted) {
        summary_.stopped_early = summary_.steps < total_;
        break;
      }
    }
    summary_.step_seconds = median(seconds_);
    if (request_.injection && !summary_.parted) check_injected();
    return summary_;
  }
  const Tensor& mean_image() const { return mean_image_; }

 private:
  // The fault of the request, if it belongs to this step and one of these phases.
  const Injection* due(std::int64_t step, std::initializer_list<Phase> phases) const {
    const auto& injection = request_.injection;
    const bool is_due =
        injection && injection->step == step && std::ranges::find(phases, injection->phase) != phases.end();
    return is_due ? &*injection : nullptr;
  }
  void inject_into_state(std::int64_t step, std::initializer_list<Phase> phases) {
    const Injection* injection = due(step, phases);
    if (injection == nullptr || injection->targets_operation()) return;
    if (injection->phase == Phase::buffer) {
      if (injection->target != "input.mean" || mean_image_.storage.empty()) no_such_target(*injection);
      change_element_of(mean_image_, *injection);
      injected_ = true;
    } else {
      engine_.inject(*injection);
    }
  }
  void inject_into_batch(ScheduledBatch& batch) {
    const Injection* injection = due(batch.step, {Phase::batch});
    if (injection == nullptr) return;
    const bool input = injection->target == "input";
    if (!input && injection->target != "target") no_such_target(*injection);
    Tensor& tensor = input ? batch.data.input : batch.data.target;
    change_element_of(tensor, *injection);
    (input ? batch.input : batch.target) = fingerprint(tensor.view());
    injected_ = true;
  }
  // What the engine does on the way: the result of an operation, the loss.
  void arm(std::int64_t step, std::initializer_list<Phase> phases) {
    const Injection* injection = due(step, phases);
    if (injection == nullptr) return;
    if (injection->targets_operation() || injection->phase == Phase::loss) engine_.inject(*injection);
  }
  void check_injected() const {
    if (injected_ || (request_.injection->step <= summary_.steps && engine_.injected())) return;
    throw Error(
        ErrorKind::unavailable,
        "the fault " + displayable(text_of(*request_.injection)) + " did not take place: " +
            (request_.injection->step > summary_.steps ? "the training has " + plural(summary_.steps, "step")
                                                       : "there is no such operation in this step and phase"),
        "repro-train trace show lists the operations of a run made with --trace ops");
  }

  StepRow take_step(ScheduledBatch& batch) {
    inject_into_batch(batch);
    StepRow row;
    row.step = summary_.steps = batch.step;
    row.epoch = summary_.epochs = batch.epoch;
    row.learning_rate = request_.spec.optimizer.learning_rate;
    recorder_.batch(batch, engine_);
    arm(batch.step, {Phase::forward, Phase::loss, Phase::backward});
    row.loss = engine_.forward_backward(batch.data);
    note_loss(row.loss, batch.step);
    inject_into_state(batch.step, {Phase::backward});
    recorder_.gradients(row.loss, engine_);
    arm(batch.step, {Phase::update});
    engine_.update(row.learning_rate);
    inject_into_state(batch.step, {Phase::update, Phase::buffer});
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
  Tensor mean_image_;      // the network's buffer: a copy, so that a fault in it stays in it
  bool injected_ = false;  // by the loop itself
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
  write_weights(directory, engine, loop.mean_image());
  if (request.save_optimizer) write_optimizer(directory, engine);
  write_predictions(directory, dataset, engine, request.spec.training.batch_size);
  write_samples(directory, dataset, engine);
  return summary;
}

}  // namespace repro

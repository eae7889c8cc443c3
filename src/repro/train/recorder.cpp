#include "repro/train/recorder.h"

#include <span>
#include <utility>

namespace repro {
namespace {

std::string layer_of(std::string_view tensor) {
  const std::size_t slash = tensor.rfind('/');
  if (slash != std::string_view::npos) tensor.remove_prefix(slash + 1);
  const std::size_t dot = tensor.find('.');
  return std::string(dot == std::string_view::npos ? std::string_view{} : tensor.substr(0, dot));
}

TensorView scalar_view(const float& value) {
  return {DType::float32, {}, std::as_bytes(std::span(&value, 1))};
}

}  // namespace

Recorder::Recorder(const fs::path& directory, TraceLevel level, const Tensor& mean_image)
    : steps_(directory / "steps.csv"), validation_(directory / "validation.csv"), mean_image_(mean_image) {
  steps_.write(std::string(steps_csv_header) + "\n");
  steps_.flush();
  validation_.write(std::string(validation_csv_header) + "\n");
  validation_.flush();
  if (level == TraceLevel::steps) trace_.emplace(directory / "trace.bin");
}

void Recorder::add(Phase phase, std::string_view tensor, const TensorView& value) {
  record_.entries.push_back({phase, std::string(tensor), layer_of(tensor), "", fingerprint(value)});
}

Fingerprint Recorder::add_state(Phase phase, Engine& engine) {
  std::vector<NamedFingerprint> learnables;
  engine.visit_learnables([&](std::string_view name, const TensorView& value) {
    learnables.push_back({std::string(name), fingerprint(value)});
    record_.entries.push_back({phase, std::string(name), layer_of(name), "", learnables.back().value});
  });
  if (trace_) {
    engine.visit_optimizer_state(
        [&](std::string_view name, const TensorView& value) { add(phase, name, value); });
    if (!mean_image_.storage.empty()) {
      const bool initial = phase == Phase::initialisation;
      add(initial ? phase : Phase::buffer, "input.mean", mean_image_.view());
    }
  }
  return group_fingerprint(learnables);
}

void Recorder::initial_state(Engine& engine) {
  if (!trace_) return;
  record_ = {};
  add_state(Phase::initialisation, engine);
  trace_->write(record_);
}

void Recorder::gradients(const ScheduledBatch& batch, float loss, Engine& engine) {
  record_ = {batch.step, batch.epoch, batch.batch, {}};
  if (!trace_) return;
  record_.entries.push_back({Phase::batch, "input", "", "", batch.input});
  record_.entries.push_back({Phase::batch, "target", "", "", batch.target});
  add(Phase::loss, "loss", scalar_view(loss));
  engine.visit_gradients(
      [&](std::string_view name, const TensorView& value) { add(Phase::backward, name, value); });
}

Fingerprint Recorder::updated(Engine& engine) { return add_state(Phase::update, engine); }

void Recorder::validation(const ValidationRow& row) {
  validation_.write(csv_line(row));
  validation_.flush();
  if (trace_) add(Phase::validation, "loss", scalar_view(row.loss));
}

void Recorder::step(const StepRow& row) {
  if (trace_) trace_->write(record_);
  steps_.write(csv_line(row));
  steps_.flush();
}

}  // namespace repro

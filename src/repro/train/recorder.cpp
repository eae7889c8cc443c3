#include "repro/train/recorder.h"

#include <span>
#include <utility>

namespace repro {
namespace {

TraceSlot state_slot(Phase phase, std::string_view name, DType dtype, const Shape& shape) {
  const bool data = phase == Phase::batch || name == "input.mean";
  return {.phase = phase,
          .kind = SlotKind::state,
          .tensor = std::string(name),
          .layer = data ? "" : layer_of(name),
          .dtype = dtype,
          .shape = shape};
}

TensorView scalar_view(const float& value) {
  return {DType::float32, {}, std::as_bytes(std::span(&value, 1))};
}

}  // namespace

Recorder::Recorder(const fs::path& directory, const RunRequest& request, const Tensor& mean_image)
    : steps_(directory / "steps.csv"),
      validation_(directory / "validation.csv"),
      operations_(request.trace == TraceLevel::ops),
      mean_image_(mean_image) {
  steps_.write(std::string(steps_csv_header) + "\n");
  steps_.flush();
  validation_.write(std::string(validation_csv_header) + "\n");
  validation_.flush();
  if (request.warn_only) {
    alerts_.emplace(directory / "alerts.csv");
    alerts_->write(std::string(alerts_csv_header) + "\n");
    alerts_->flush();
  }
  if (request.trace != TraceLevel::none) trace_.emplace(directory / "trace.bin");
  if (!request.part_from.empty()) parting_.emplace(directory, request.part_from);
}

void Recorder::begin(std::int64_t step, std::int64_t epoch, std::int64_t batch) {
  record_ = {step, epoch, batch};
  slots_.clear();
  if (parting_) parting_->begin(step);
}

void Recorder::add(TraceSlot slot, Fingerprint value) {
  slots_.push_back(std::move(slot));
  record_.values.push_back(value);
}

Fingerprint Recorder::add_tensor(Phase phase, std::string_view name, const TensorView& value) {
  add(state_slot(phase, name, value.dtype, value.shape), fingerprint(value));
  if (parting_) parting_->compare(slots_.size() - 1, slots_.back(), record_.values.back(), &value);
  return record_.values.back();
}

void Recorder::add_operations(Engine& engine) {
  if (!operations_) return;
  OperationTrace operations = engine.take_operations();
  const auto parted = engine.take_parted();
  for (std::size_t i = 0; i < operations.slots.size(); ++i) {
    add(std::move(operations.slots[i]), operations.values[i]);
    if (!parting_) continue;
    const bool kept = parted && parted->slot == i;
    const TensorView view = kept ? parted->tensor.view() : TensorView{};
    parting_->compare(slots_.size() - 1, slots_.back(), record_.values.back(), kept ? &view : nullptr);
  }
}

Fingerprint Recorder::add_state(Phase phase, Engine& engine) {
  std::vector<NamedFingerprint> learnables;
  engine.visit_learnables([&](std::string_view name, const TensorView& value) {
    learnables.push_back({std::string(name), add_tensor(phase, name, value)});
  });
  if (trace_) {
    engine.visit_optimizer_state(
        [&](std::string_view name, const TensorView& value) { add_tensor(phase, name, value); });
    if (!mean_image_.storage.empty()) {
      const bool initial = phase == Phase::initialisation;
      add_tensor(initial ? phase : Phase::buffer, "input.mean", mean_image_.view());
    }
  }
  return group_fingerprint(learnables);
}

void Recorder::initial_state(Engine& engine) {
  if (!trace_) return;
  if (operations_) engine.trace_operations();
  begin(0, 0, 0);
  add_state(Phase::initialisation, engine);
  write_trace();
}

void Recorder::batch(const ScheduledBatch& batch, Engine& engine) {
  begin(batch.step, batch.epoch, batch.batch);
  if (!trace_) return;
  const auto add_batch = [&](const char* name, const Tensor& tensor, Fingerprint value) {
    add(state_slot(Phase::batch, name, tensor.dtype, tensor.shape), value);
    const TensorView view = tensor.view();
    if (parting_) parting_->compare(slots_.size() - 1, slots_.back(), value, &view);
  };
  add_batch("input", batch.data.input, batch.input);
  add_batch("target", batch.data.target, batch.target);
  if (parting_) parting_->expect_operations(engine, slots_.size());
}

void Recorder::gradients(float loss, Engine& engine) {
  if (!trace_) return;
  add_operations(engine);
  add_tensor(Phase::loss, "loss", scalar_view(loss));
  engine.visit_gradients(
      [&](std::string_view name, const TensorView& value) { add_tensor(Phase::backward, name, value); });
  if (parting_) parting_->expect_operations(engine, slots_.size());
}

Fingerprint Recorder::updated(Engine& engine) {
  if (trace_) add_operations(engine);
  return add_state(Phase::update, engine);
}

void Recorder::validation(const ValidationRow& row) {
  validation_.write(csv_line(row));
  validation_.flush();
  if (trace_) add_tensor(Phase::validation, "loss", scalar_view(row.loss));
}

void Recorder::write_trace() {
  if (!last_layout_ || *last_layout_ != slots_) last_layout_ = std::make_shared<TraceLayout>(slots_);
  record_.layout = last_layout_;
  trace_->write(record_);
}

void Recorder::step(const StepRow& row, Engine& engine) {
  if (trace_) write_trace();
  if (alerts_) {
    for (const Alert& alert : engine.take_alerts()) {
      alerts_->write(
          csv_line({row.step, alert.phase, alert.layer, alert.operation, alert.count, alert.message}));
    }
    alerts_->flush();
  }
  steps_.write(csv_line(row));
  steps_.flush();
}

}  // namespace repro

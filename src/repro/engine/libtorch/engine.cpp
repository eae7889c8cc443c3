#include "repro/engine/libtorch/engine.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mse_loss.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "repro/base/text.h"
#include "repro/engine/libtorch/memory.h"
#include "repro/engine/libtorch/network.h"
#include "repro/engine/libtorch/operation_tracer.h"

namespace repro {
namespace {

// LibTorch's exceptions end a run, they are not our bug: the first line says what and where.
[[noreturn]] void fail(const std::string& doing, const c10::Error& error) {
  std::string message = error.what_without_backtrace();
  message.resize(std::min(message.find('\n'), message.size()));
  throw Error(ErrorKind::unavailable, doing + ": " + displayable(message));
}

template <class Work>
auto translated(const char* doing, const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    fail(doing, error);
  }
}

void show(const Engine::Visitor& visit, std::string_view name, const at::Tensor& tensor) {
  const at::Tensor host = tensor.detach().to(at::kCPU).contiguous();
  const auto bytes = std::span(static_cast<const std::byte*>(host.const_data_ptr()), host.nbytes());
  visit(name, {DType::float32, host.sizes().vec(), bytes});
}

Tensor to_host(const at::Tensor& tensor) {
  Tensor out(DType::float32, tensor.sizes().vec());
  show([&](std::string_view,
           const TensorView& view) { std::memcpy(out.storage.data(), view.bytes.data(), view.bytes.size()); },
       "", tensor);
  return out;
}

}  // namespace

// "auto": on a CPU channels last, which takes about 0.7 of the time of the contiguous format for the small
// channel counts of the reference experiment; on a GPU LibTorch's default.
LibTorchEngine::LibTorchEngine(const LibTorchOptions& options)
    : options_(options), tracer_(std::make_unique<OperationTracer>()) {
  if (options_.collect_alerts) tracer_->collect_alerts();
  if (options_.memory_format == MemoryFormat::automatic) {
    options_.memory_format =
        options_.device == "cpu" ? MemoryFormat::channels_last : MemoryFormat::contiguous;
  }
}
LibTorchEngine::~LibTorchEngine() = default;

// Copies: the result owns aligned memory, whatever the source's alignment (rounding can depend on it).
at::Tensor LibTorchEngine::to_device(const Tensor& tensor) const {
  at::Tensor host = at::empty(tensor.shape, at::TensorOptions().dtype(at::kFloat));
  std::memcpy(host.mutable_data_ptr(), tensor.storage.data(), tensor.storage.size());
  at::Tensor out = host.to(at::Device(options_.device));
  if (options_.memory_format == MemoryFormat::channels_last && out.dim() == 4) {
    out = out.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return out;
}

void LibTorchEngine::initialise(const Model& model, std::span<const NamedTensor> learnables) {
  translated("initialisation", [&] {
    model_ = model;
    parameters_.clear();
    for (const NamedTensor& learnable : learnables) {
      parameters_.push_back(to_device(learnable.tensor).set_requires_grad(true));
    }
    adam_ = std::make_unique<Adam>(options_.optimizer, model_, parameters_);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      tracer_->name(parameters_[i], model_.parameters[i].name, layer_of(model_.parameters[i].name));
    }
    for (const Adam::State& state : adam_->state()) tracer_->name(state.value, state.name, "");
  });
}

template <class Work>
auto LibTorchEngine::traced(const char* doing, const Work& work) {
  try {
    const OperationTracer::Scope scope(*tracer_);
    return work();
  } catch (const c10::Error& error) {
    const std::string where = tracer_->last_operation();
    fail(std::string(doing) + (where.empty() ? "" : ", " + where), error);
  }
}

at::Tensor LibTorchEngine::loss_of(const at::Tensor& input, const at::Tensor& target) {
  const auto on_layer = [this](const std::string& layer) { tracer_->at(Phase::forward, layer); };
  const at::Tensor output = forward(model_, parameters_, input, on_layer).view_as(target);
  tracer_->at(Phase::loss);
  const double scale = 0.5 / static_cast<double>(target.size(0));
  return at::mse_loss(output, target, at::Reduction::Sum).mul(scale);
}

float LibTorchEngine::forward_backward(const Batch& batch) {
  for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  const auto [input, target] =
      translated("training step", [&] { return std::pair(to_device(batch.input), to_device(batch.target)); });
  const at::Tensor loss = traced("training step", [&] {
    at::Tensor value = loss_of(input, target);
    if (loss_fault_) {
      const Injection fault = *std::exchange(loss_fault_, std::nullopt);
      change_element_of(value, fault.index, fault.change);
      injected_ = true;
    }
    tracer_->at(Phase::backward);
    value.backward();
    return value;
  });
  name_gradients();
  return translated("training step", [&] { return loss.item<float>(); });
}

void LibTorchEngine::name_gradients() {
  if (!tracer_->recording()) return;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    tracer_->name_gradient(parameters_[i].grad(), model_.parameters[i].name,
                           layer_of(model_.parameters[i].name));
  }
}

void LibTorchEngine::update(double learning_rate) {
  traced("update", [&] {
    const at::NoGradGuard no_grad;
    tracer_->at(Phase::update);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      tracer_->name_in_scope(parameters_[i].grad(), "gradient of " + model_.parameters[i].name);
    }
    adam_->step(learning_rate);
  });
}

Tensor LibTorchEngine::predict(const Tensor& input) {
  return translated("prediction", [&] {
    const at::NoGradGuard no_grad;
    return to_host(forward(model_, parameters_, to_device(input)));
  });
}

void LibTorchEngine::visit_learnables(const Visitor& visit) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    show(visit, model_.parameters[i].name, parameters_[i]);
  }
}

void LibTorchEngine::visit_gradients(const Visitor& visit) {
  for (std::size_t i = parameters_.size(); i-- > 0;) {
    show(visit, model_.parameters[i].name, parameters_[i].grad());
  }
}

void LibTorchEngine::visit_optimizer_state(const Visitor& visit) {
  for (const Adam::State& state : adam_->state()) show(visit, state.name, state.value);
}

void LibTorchEngine::trace_operations() { tracer_->record(true); }
OperationTrace LibTorchEngine::take_operations() { return tracer_->take(); }
void LibTorchEngine::expect_operations(OperationTrace expected) { tracer_->expect(std::move(expected)); }
std::optional<Engine::Parted> LibTorchEngine::take_parted() { return tracer_->take_parted(); }
std::vector<Alert> LibTorchEngine::take_alerts() { return tracer_->take_alerts(); }

void LibTorchEngine::inject(const Injection& injection) {
  injected_ = false;
  if (injection.targets_operation()) return tracer_->arm(injection);
  if (injection.phase == Phase::loss && injection.target == "loss") {
    loss_fault_ = injection;
    return;
  }
  const auto found = std::ranges::find(model_.parameters, injection.target, &Parameter::name);
  at::Tensor target;
  if (found != model_.parameters.end()) {
    const at::Tensor& parameter = parameters_[static_cast<std::size_t>(found - model_.parameters.begin())];
    target = injection.phase == Phase::backward ? parameter.grad() : parameter;
  } else if (injection.phase != Phase::backward) {
    const auto state = std::ranges::find(adam_->state(), injection.target, &Adam::State::name);
    if (state != adam_->state().end()) target = state->value;
  }
  if (!target.defined()) {
    throw Error(ErrorKind::request, "there is nothing named '" + displayable(injection.target) +
                                        "' in phase " + std::string(name_of(injection.phase)));
  }
  change_element_of(target, injection.index, injection.change);
  injected_ = true;
}

bool LibTorchEngine::injected() const { return injected_ || !tracer_->missed(); }

}  // namespace repro

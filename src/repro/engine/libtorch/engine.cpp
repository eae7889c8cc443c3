#include "repro/engine/libtorch/engine.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mse_loss.h>

#include <cstring>

#include "repro/base/text.h"
#include "repro/engine/libtorch/network.h"

namespace repro {
namespace {

// LibTorch's exceptions end a run, they are not our bug: the first line says what and where.
template <class Work>
auto translated(const char* doing, const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    std::string message = error.what_without_backtrace();
    message.resize(std::min(message.find('\n'), message.size()));
    throw Error(ErrorKind::unavailable, std::string(doing) + ": " + displayable(message));
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
LibTorchEngine::LibTorchEngine(const LibTorchOptions& options) : options_(options) {
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
  });
}

float LibTorchEngine::forward_backward(const Batch& batch) {
  return translated("training step", [&] {
    for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
    const at::Tensor target = to_device(batch.target);
    const at::Tensor output = forward(model_, parameters_, to_device(batch.input)).view_as(target);
    const double scale = 0.5 / static_cast<double>(target.size(0));
    const at::Tensor loss = at::mse_loss(output, target, at::Reduction::Sum).mul(scale);
    loss.backward();
    return loss.item<float>();
  });
}

void LibTorchEngine::update(double learning_rate) {
  translated("update", [&] {
    const at::NoGradGuard no_grad;
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

}  // namespace repro

#include "support/fake_engine.h"

#include <algorithm>

namespace repro {
namespace {

// One number that depends on every weight.
float bias_of(const std::vector<NamedTensor>& weights) {
  float sum = 0;
  for (const NamedTensor& weight : weights) {
    for (const float value : weight.tensor.values<float>()) sum += value;
  }
  return sum * 0.001F;
}

void show(const Engine::Visitor& visit, const std::vector<NamedTensor>& tensors) {
  for (const NamedTensor& tensor : tensors) visit(tensor.name, tensor.tensor.view());
}

}  // namespace

void FakeEngine::initialise(const Model&, std::span<const NamedTensor> learnables) {
  weights_.assign(learnables.begin(), learnables.end());
  gradients_ = weights_;
  momenta_.clear();
  for (const NamedTensor& weight : weights_) {
    momenta_.push_back({"adam.m/" + weight.name, Tensor(DType::float32, weight.tensor.shape)});
  }
}

float FakeEngine::forward_backward(const Batch& batch) {
  ++step_;
  Tensor output = predict(batch.input);
  --predictions_;
  operation(Phase::forward, "fake::scale", "result", output);
  float loss = half_mse(output.view(), batch.target.view());
  if (armed_ && armed_->phase == Phase::loss) {
    change_element(std::as_writable_bytes(std::span(&loss, 1)), DType::float32, armed_->change);
    armed_.reset();
  }
  const auto target = batch.target.values<float>();
  std::size_t next = 0;
  for (std::size_t w = 0; w < weights_.size(); ++w) {
    for (float& gradient : gradients_[w].tensor.values<float>()) {
      gradient = output.values<float>()[next] - target[next];
      next = (next + 1) % target.size();
    }
  }
  return on_loss ? on_loss(step_, loss) : loss;
}

void FakeEngine::update(double learning_rate) {
  const auto rate = static_cast<float>(learning_rate);
  for (std::size_t w = 0; w < weights_.size(); ++w) {
    const auto momenta = momenta_[w].tensor.values<float>();
    const auto gradients = gradients_[w].tensor.values<float>();
    const auto weights = weights_[w].tensor.values<float>();
    for (std::size_t i = 0; i < weights.size(); ++i) {
      momenta[i] = 0.5F * momenta[i] + gradients[i];
      weights[i] -= rate * momenta[i];
    }
    operation(Phase::update, "fake::step_", weights_[w].name, weights_[w].tensor);
  }
  if (after_update) after_update(step_, weights_);
}

void FakeEngine::operation(Phase phase, const std::string& name, const std::string& tensor, Tensor& result) {
  if (armed_ && armed_->phase == phase && armed_->target == name) {
    const std::size_t size = size_of(result.dtype);
    change_element(std::span(result.storage).subspan(armed_->index * size, size), result.dtype,
                   armed_->change);
    armed_.reset();
  }
  if (!tracing_) return;
  const std::size_t at = operations_.slots.size();
  operations_.slots.push_back({.phase = phase,
                               .kind = SlotKind::result,
                               .tensor = tensor,
                               .layer = layer_of(tensor),
                               .operation = name,
                               .dtype = result.dtype,
                               .shape = result.shape});
  operations_.values.push_back(fingerprint(result.view()));
  const bool expected = at < expected_.values.size();
  if (expected && !parted_ && expected_.values[at] != operations_.values[at]) parted_ = Parted{at, result};
}

void FakeEngine::inject(const Injection& injection) {
  if (injection.targets_operation() || injection.phase == Phase::loss) {
    armed_ = injection;
    return;
  }
  const auto named = [&](std::vector<NamedTensor>& tensors) -> Tensor* {
    const auto found = std::ranges::find(tensors, injection.target, &NamedTensor::name);
    return found == tensors.end() ? nullptr : &found->tensor;
  };
  Tensor* target = named(injection.phase == Phase::backward ? gradients_ : weights_);
  if (target == nullptr) target = named(momenta_);
  if (target == nullptr) throw Error(ErrorKind::request, "there is nothing named '" + injection.target + "'");
  const std::size_t size = size_of(target->dtype);
  change_element(std::span(target->storage).subspan(injection.index * size, size), target->dtype,
                 injection.change);
}

Tensor FakeEngine::predict(const Tensor& input) {
  Tensor output = input;
  const float bias = bias_of(weights_);
  for (float& value : output.values<float>()) value = value * 0.5F + bias;
  ++predictions_;
  if (on_prediction) on_prediction(predictions_, output.values<float>());
  return output;
}

void FakeEngine::visit_learnables(const Visitor& visit) { show(visit, weights_); }

void FakeEngine::visit_gradients(const Visitor& visit) {
  for (std::size_t i = gradients_.size(); i-- > 0;) {
    visit(gradients_[i].name, gradients_[i].tensor.view());
  }
}

void FakeEngine::visit_optimizer_state(const Visitor& visit) { show(visit, momenta_); }

}  // namespace repro

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repro/train/engine.h"

namespace repro {

// An engine without a library: "predicts" a constant image from its weights and moves them towards the
// targets, in plain float arithmetic, so that every branch of the training loop can be reached and every
// result depends on every batch. Its operations are fake::scale (forward) and fake::step_ (update, one for
// each weight). Hooks let a test disturb it.
class FakeEngine : public Engine {
 public:
  // Called after each update with the step (from 1) and the weights; may change them.
  std::function<void(std::int64_t step, std::vector<NamedTensor>& weights)> after_update;
  // Called with the step and the loss; gives the loss to report.
  std::function<float(std::int64_t step, float loss)> on_loss;
  // Called with the number of the prediction (from 1) and its values; may change them.
  std::function<void(std::int64_t call, std::span<float> output)> on_prediction;

  void initialise(const Model& model, std::span<const NamedTensor> learnables) override;
  float forward_backward(const Batch& batch) override;
  void update(double learning_rate) override;
  Tensor predict(const Tensor& input) override;
  void visit_learnables(const Visitor& visit) override;
  void visit_gradients(const Visitor& visit) override;
  void visit_optimizer_state(const Visitor& visit) override;
  void trace_operations() override { tracing_ = true; }
  OperationTrace take_operations() override { return std::exchange(operations_, {}); }
  void expect_operations(OperationTrace expected) override { expected_ = std::move(expected); }
  std::optional<Parted> take_parted() override { return std::exchange(parted_, std::nullopt); }
  std::vector<Alert> take_alerts() override { return std::exchange(alerts, {}); }
  void inject(const Injection& injection) override;
  bool injected() const override { return !armed_; }

  std::vector<Alert> alerts;  // what take_alerts gives next

 private:
  // An operation "fake::<name>" with one result.
  void operation(Phase phase, const std::string& name, const std::string& tensor, Tensor& result);

  std::vector<NamedTensor> weights_, gradients_, momenta_;
  std::int64_t step_ = 0;
  std::int64_t predictions_ = 0;
  bool tracing_ = false;
  OperationTrace operations_, expected_;
  std::optional<Parted> parted_;
  std::optional<Injection> armed_;
};

}  // namespace repro

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "repro/train/engine.h"

namespace repro {

// An engine without a library: "predicts" a constant image from its weights and moves them towards the
// targets, in plain float arithmetic, so that every branch of the training loop can be reached and every
// result depends on every batch. Hooks let a test disturb it.
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

 private:
  std::vector<NamedTensor> weights_, gradients_, momenta_;
  std::int64_t step_ = 0;
  std::int64_t predictions_ = 0;
};

}  // namespace repro

#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "repro/data/batch.h"
#include "repro/model/model.h"
#include "repro/tensor/tensor.h"

namespace repro {

// Who does the arithmetic. The loop (train/loop.h) is written once over this interface: one engine
// computes with LibTorch, a fake one in the tests makes every branch of the loop reachable without it.
//
// Called from one thread. Every result is on the host when a call returns. Errors: Error{unavailable}
// for trouble that ends the run (an operation without a deterministic implementation, memory), with the
// layer and operation named.
class Engine {
 public:
  // `tensor` is only valid during the call.
  using Visitor = std::function<void(std::string_view name, const TensorView& tensor)>;

  virtual ~Engine() = default;

  // Takes over the learnables' initial values (registration order, one per parameter of the model) and
  // zeroes the optimiser's state. Called once, first.
  virtual void initialise(const Model& model, std::span<const NamedTensor> learnables) = 0;

  // Forward pass, loss and backward pass of one batch: gradients are replaced, weights unchanged. Gives
  // the loss (half the squared error summed over the pixels, averaged over the observations).
  virtual float forward_backward(const Batch& batch) = 0;

  // One update of the optimiser from the gradients.
  virtual void update(double learning_rate) = 0;

  // Output of the network, float32, {n, ...}. Changes nothing.
  virtual Tensor predict(const Tensor& input) = 0;

  virtual void visit_learnables(const Visitor& visit) = 0;       // registration order
  virtual void visit_gradients(const Visitor& visit) = 0;        // reversed order; names of the learnables
  virtual void visit_optimizer_state(const Visitor& visit) = 0;  // "adam.m/conv1.weight", ...
};

// Half the squared error summed over the elements of an observation, averaged over the n observations:
// MATLAB's "mse" of trainnet. Both are {n, ...} with equal element counts. Summed in double in row-major
// order, rounded once; NaN and infinities propagate.
float half_mse(const TensorView& output, const TensorView& target);

}  // namespace repro

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "repro/data/batch.h"
#include "repro/model/model.h"
#include "repro/run/injection.h"
#include "repro/snapshot/trace.h"
#include "repro/tensor/tensor.h"

namespace repro {

// Fingerprints of the operations of one call, in the order in which they were dispatched.
struct OperationTrace {
  std::vector<TraceSlot> slots;
  std::vector<Fingerprint> values;  // as many
};

// LibTorch's alert, in warn mode, that an operation has no deterministic implementation.
struct Alert {
  Phase phase = Phase::forward;
  std::string layer, operation;  // "" where there is none
  std::string message;           // one line, as the library says it
  std::int64_t count = 1;        // of the same one in this step
};

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

  // From now on every operation that forward_backward and update dispatch is fingerprinted: results, what is
  // written in place (before and after), and arguments that nothing traced has made. Changes no bit of what
  // is computed.
  virtual void trace_operations() = 0;
  // What the last forward_backward or update has dispatched; empty without trace_operations().
  virtual OperationTrace take_operations() = 0;

  // Alerts since the last call of this, in the order in which they first came up.
  virtual std::vector<Alert> take_alerts() = 0;

  // Where the operations of the next call first part from `expected` (same slot, another value), the engine
  // keeps that tensor. Takes effect with trace_operations() only.
  virtual void expect_operations(OperationTrace expected) = 0;
  // The tensor kept by the last call, with the number of its slot.
  struct Parted {
    std::size_t slot = 0;
    Tensor tensor;
  };
  virtual std::optional<Parted> take_parted() = 0;

  // Changes one number of the training on purpose, by a raw write to memory that no library notices: of a
  // learnable, a gradient (phase backward) or the optimiser's state at once; of the loss or an operation's
  // result when the next forward_backward or update gets there. Error{request} for a target or an index that
  // does not exist, Error{unavailable} as change_element().
  virtual void inject(const Injection& injection) = 0;
  // Whether every injection has taken place; false if an operation was not dispatched.
  virtual bool injected() const = 0;
};

// Half the squared error summed over the elements of an observation, averaged over the n observations:
// MATLAB's "mse" of trainnet. Both are {n, ...} with equal element counts. Summed in double in row-major
// order, rounded once; NaN and infinities propagate.
float half_mse(const TensorView& output, const TensorView& target);

}  // namespace repro

#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "repro/run/injection.h"
#include "repro/snapshot/trace.h"
#include "repro/train/engine.h"

namespace repro {

// Sees every operation that is dispatched between begin() and end() by the calling thread, and by autograd's
// threads on its behalf, above autograd: what forward, loss, backward and optimiser call, one level deep
// (operations that are only compositions of others are seen as those). A boxed fallback for a dispatch key
// that nothing else uses does it; neither results nor the autograd graph change.
//
// One tracer is active at a time in a process. Storage that `empty` and its kind return counts as
// uninitialised until it is written; what it held before is never recorded.
class OperationTracer {
 public:
  OperationTracer() = default;
  OperationTracer(const OperationTracer&) = delete;
  OperationTracer& operator=(const OperationTracer&) = delete;

  // Whether fingerprints are taken; without, the tracer still knows places and injects faults.
  void record(bool on) { recording_ = on; }
  bool recording() const { return recording_; }

  // A scope within which operations are seen. Scopes do not nest.
  class Scope {
   public:
    explicit Scope(OperationTracer& tracer);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

   private:
    struct Guard;
    OperationTracer& tracer_;
    std::unique_ptr<Guard> guard_;
  };

  // Where the training is: shown in slots, and in the messages of errors.
  void at(Phase phase, std::string layer = {});
  Phase phase() const { return phase_; }
  // In the backward phase: the layer whose forward pass made the autograd node that runs now; else that of
  // at(). "" where there is none.
  std::string layer() const;
  // "layer conv1, aten::convolution": the operation that was dispatched last, "" if none was.
  std::string last_operation() const;

  // Names of tensors of the training, by their storage: parameters and optimiser state for good, gradients
  // for this scope only.
  void name(const at::Tensor& tensor, std::string name, std::string layer);
  void name_in_scope(const at::Tensor& tensor, std::string name);
  // The operation that wrote this tensor's memory last gave a gradient of that name.
  void name_gradient(const at::Tensor& gradient, const std::string& name, const std::string& layer);

  OperationTrace take();
  void expect(OperationTrace expected);
  std::optional<Engine::Parted> take_parted();

  // From now on LibTorch's alerts are collected: operations without a deterministic implementation.
  void collect_alerts() { collecting_alerts_ = true; }
  std::vector<Alert> take_alerts();

  // A fault for the result of an operation of the next scope. Gone when that ends, whether it took place or
  // not; `missed` tells.
  void arm(const Injection& injection);
  bool missed() const { return missed_; }

  // Called by the fallback.
  void dispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

 private:
  struct Argument {
    at::Tensor tensor;
    std::string name;
    bool written = false;
  };
  struct Named {
    std::string name, layer;
  };
  struct Armed {
    Injection injection;
    OperationTarget target;
    std::int64_t seen = 0;
  };
  enum class Contents { uninitialised, known };

  void add(SlotKind kind, const at::Tensor& tensor, std::string name);
  void before(const std::vector<Argument>& arguments);
  void after(const c10::FunctionSchema& schema, const std::vector<Argument>& arguments,
             const torch::jit::Stack& stack);
  void inject_into_result(const c10::FunctionSchema& schema, const std::vector<Argument>& arguments,
                          const torch::jit::Stack& stack);
  void begin();
  void end();
  void call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);
  std::string name_of_tensor(const at::Tensor& tensor, const std::string& otherwise) const;

  bool recording_ = false, collecting_alerts_ = false;
  Phase phase_ = Phase::forward;
  std::string layer_;
  std::string operation_, operation_layer_;                 // the last one
  std::map<std::uint64_t, std::string> layer_of_sequence_;  // first autograd sequence number -> layer
  std::unordered_map<const void*, Named> names_;            // by storage
  std::unordered_map<const void*, std::string> scope_names_;
  std::unordered_map<const void*, Contents> contents_;  // by storage, of this scope
  std::vector<Alert> alerts_;
  OperationTrace trace_;
  std::vector<const void*> storages_;  // of each slot, to name gradients afterwards
  OperationTrace expected_;
  std::optional<Engine::Parted> parted_;
  bool deviates_ = false;  // from what was expected
  std::optional<Armed> armed_;
  bool missed_ = false;
};

}  // namespace repro

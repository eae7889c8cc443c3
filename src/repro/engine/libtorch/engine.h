#pragma once

#include <memory>
#include <string>

#include "repro/engine/libtorch/adam.h"
#include "repro/train/engine.h"

namespace repro {

class OperationTracer;  // its header brings in LibTorch's dispatcher, which few files should see

struct LibTorchOptions {
  std::string device = "cpu";  // resolved
  MemoryFormat memory_format = MemoryFormat::automatic;
  OptimizerSpec optimizer;
  bool collect_alerts = false;  // warn mode
};

// Trains with LibTorch on one device. Tensors own their memory. An operation without a deterministic
// implementation is Error{unavailable} with its name and layer (LibTorch throws when algorithms are "on").
class LibTorchEngine : public Engine {
 public:
  explicit LibTorchEngine(const LibTorchOptions& options);
  ~LibTorchEngine() override;

  void initialise(const Model& model, std::span<const NamedTensor> learnables) override;
  float forward_backward(const Batch& batch) override;
  void update(double learning_rate) override;
  Tensor predict(const Tensor& input) override;
  void visit_learnables(const Visitor& visit) override;
  void visit_gradients(const Visitor& visit) override;
  void visit_optimizer_state(const Visitor& visit) override;
  void trace_operations() override;
  OperationTrace take_operations() override;
  void expect_operations(OperationTrace expected) override;
  std::optional<Parted> take_parted() override;
  std::vector<Alert> take_alerts() override;
  void inject(const Injection& injection) override;
  bool injected() const override;

 private:
  at::Tensor to_device(const Tensor& tensor) const;
  at::Tensor loss_of(const at::Tensor& input, const at::Tensor& target);
  void name_gradients();
  // Work under the tracer, if anything of it is wanted; errors name the operation.
  template <class Work>
  auto traced(const char* doing, const Work& work);

  LibTorchOptions options_;
  Model model_;
  std::vector<at::Tensor> parameters_;  // leaves that require gradients, registration order
  std::unique_ptr<Adam> adam_;
  std::unique_ptr<OperationTracer> tracer_;
  std::optional<Injection> loss_fault_;
  bool injected_ = false;  // of faults that are applied at once
};

}  // namespace repro

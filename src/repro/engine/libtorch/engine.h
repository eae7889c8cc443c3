#pragma once

#include <memory>
#include <string>

#include "repro/engine/libtorch/adam.h"
#include "repro/train/engine.h"

namespace repro {

struct LibTorchOptions {
  std::string device = "cpu";  // resolved
  MemoryFormat memory_format = MemoryFormat::automatic;
  OptimizerSpec optimizer;
};

// Trains with LibTorch on one device. Tensors own their memory. An operation without a deterministic
// implementation is Error{unavailable} with its name (LibTorch throws when algorithms are "on").
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

 private:
  at::Tensor to_device(const Tensor& tensor) const;

  LibTorchOptions options_;
  Model model_;
  std::vector<at::Tensor> parameters_;  // leaves that require gradients, registration order
  std::unique_ptr<Adam> adam_;
};

}  // namespace repro

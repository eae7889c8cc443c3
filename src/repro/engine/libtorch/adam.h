#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <string>
#include <vector>

#include "repro/model/model.h"
#include "repro/spec/spec.h"

namespace repro {

// Adam (Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015) by LibTorch's fused
// kernel, with the L2 factor added to the gradient of weights, not of biases. All tensors stay on the
// device of the parameters.
class Adam {
 public:
  Adam(const OptimizerSpec& spec, const Model& model, std::span<const at::Tensor> parameters);

  // One update from parameters' gradients. Precondition: every parameter has one.
  void step(double learning_rate);

  struct State {
    std::string name;  // "adam.m/<parameter>" first moment, "adam.v/<parameter>" second moment
    at::Tensor value;
  };
  const std::vector<State>& state() const { return state_; }

 private:
  // The kernel takes one decay for all its tensors, so weights and biases are groups of their own.
  struct Group {
    double l2 = 0;
    std::vector<at::Tensor> parameters, first, second, steps;
  };
  OptimizerSpec spec_;
  std::vector<Group> groups_;
  std::vector<State> state_;
};

}  // namespace repro

#include "repro/engine/libtorch/adam.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

namespace repro {

Adam::Adam(const OptimizerSpec& spec, const Model& model, std::span<const at::Tensor> parameters)
    : spec_(spec) {
  for (const ParameterKind kind : {ParameterKind::weight, ParameterKind::bias}) {
    Group group;
    group.l2 = kind == ParameterKind::weight ? spec.l2 : 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (model.parameters[i].kind != kind) continue;
      const at::Tensor parameter = parameters[i].detach();
      group.parameters.push_back(parameters[i]);
      group.first.push_back(at::zeros_like(parameter));
      group.second.push_back(at::zeros_like(parameter));
      group.steps.push_back(at::zeros({}, parameter.options()));
      state_.push_back({"adam.m/" + model.parameters[i].name, group.first.back()});
      state_.push_back({"adam.v/" + model.parameters[i].name, group.second.back()});
    }
    if (!group.parameters.empty()) groups_.push_back(std::move(group));
  }
}

void Adam::step(double learning_rate) {
  for (Group& group : groups_) {
    std::vector<at::Tensor> values, gradients;
    for (const at::Tensor& parameter : group.parameters) {
      values.push_back(parameter.detach());
      // The kernel walks raw memory: a gradient must lie in memory as its parameter does.
      gradients.push_back(parameter.grad().contiguous(parameter.suggest_memory_format()));
    }
    at::_foreach_add_(group.steps, 1);
    at::_fused_adam_(values, gradients, group.first, group.second, {}, group.steps, learning_rate,
                     spec_.beta1, spec_.beta2, group.l2, spec_.epsilon, /*amsgrad=*/false,
                     /*maximize=*/false);
  }
}

}  // namespace repro

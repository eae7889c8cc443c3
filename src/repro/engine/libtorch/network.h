#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "repro/model/model.h"

namespace repro {

// Applies the layers of a model to {n, ...} activations. A pure function of model, parameters and input;
// autograd records it where the parameters require gradients. `parameters` are in registration order.
// Error{unavailable} naming the layer for a NaN in front of a lookup.
// `on_layer`, if given, is called with the name of each layer before it is applied.
at::Tensor forward(const Model& model, std::span<const at::Tensor> parameters, at::Tensor input,
                   const std::function<void(const std::string&)>& on_layer = {});

}  // namespace repro

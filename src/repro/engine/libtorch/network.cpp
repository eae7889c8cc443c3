#include "repro/engine/libtorch/network.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/round.h>

#include "repro/base/error.h"

namespace repro {
namespace {

// Zeros around an image where before and after differ; the symmetric case is left to the operation.
at::Tensor padded(const Layer& layer, const at::Tensor& x) {
  if (layer.padding_before == layer.padding_after) return x;
  return at::constant_pad_nd(
      x, {layer.padding_before, layer.padding_after, layer.padding_before, layer.padding_after});
}

std::int64_t symmetric_padding(const Layer& layer) {
  return layer.padding_before == layer.padding_after ? layer.padding_before : 0;
}

// Each channel value picks a row of the table; the row's columns become channels: {n, c, h, w} to
// {n, c * width, h, w}, channel c * width + j from column j. No gradient reaches x.
at::Tensor lookup(const Layer& layer, const at::Tensor& table, const at::Tensor& x) {
  const at::Tensor values = x.detach();
  if (at::isnan(values).any().item<bool>()) {
    throw Error(ErrorKind::unavailable,
                "layer " + layer.spec.name + ": the input of a lookup is NaN, it must be a number");
  }
  const auto last = static_cast<double>(layer.spec.entries - 1);
  const at::Tensor rows = at::round(at::clamp(values, 0, 1).mul(last)).to(at::kLong).contiguous();
  const std::int64_t n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  return table.index({rows.view({-1})})
      .view({n, c, h, w, layer.spec.width})
      .permute({0, 1, 4, 2, 3})
      .reshape({n, c * layer.spec.width, h, w});
}

at::Tensor apply(const Layer& layer, std::span<const at::Tensor> parameters, const at::Tensor& x) {
  const LayerSpec& spec = layer.spec;
  const auto parameter = [&](std::size_t i) { return parameters[layer.parameters[i]]; };
  switch (spec.type) {
    case LayerType::conv2d:
      return at::conv2d(padded(layer, x), parameter(0), parameter(1), spec.stride, symmetric_padding(layer));
    case LayerType::conv_transpose2d:
      return at::conv_transpose2d(x, parameter(0), parameter(1), spec.stride, layer.padding_before);
    case LayerType::max_pool2d: return at::max_pool2d(x, spec.kernel, spec.stride, layer.padding_before);
    case LayerType::relu: return at::relu(x);
    // Unlike clamp, hardtanh passes no gradient at the bounds themselves, as relu does.
    case LayerType::clipped_relu: return at::hardtanh(x, 0, spec.ceiling);
    case LayerType::linear: return at::linear(x, parameter(0), parameter(1));
    case LayerType::flatten: return at::flatten(x, 1);
    case LayerType::lookup: return lookup(layer, parameter(0), x);
  }
  throw Error(ErrorKind::bug, "unknown layer type");
}

}  // namespace

at::Tensor forward(const Model& model, std::span<const at::Tensor> parameters, at::Tensor input,
                   const std::function<void(const std::string&)>& on_layer) {
  for (const Layer& layer : model.layers) {
    if (on_layer) on_layer(layer.spec.name);
    input = apply(layer, parameters, input);
  }
  return input;
}

}  // namespace repro

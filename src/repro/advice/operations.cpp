#include "repro/advice/operations.h"

#include "repro/base/error.h"

// Switches without default: the compiler names the one that a new layer must reach.

namespace repro {
namespace {

// The convolution takes equal padding on both sides only; the rest is padded before it.
std::vector<std::string_view> conv2d_operations(const Layer& layer, bool forward) {
  const bool padded = layer.padding_before != layer.padding_after;
  if (forward) {
    if (padded) return {"aten::constant_pad_nd", "aten::conv2d"};
    return {"aten::conv2d"};
  }
  if (padded) return {"aten::convolution_backward", "aten::constant_pad_nd"};
  return {"aten::convolution_backward"};
}

}  // namespace

std::string_view name_of(Direction value) {
  switch (value) {
    case Direction::forward: return "forward";
    case Direction::backward: return "backward";
  }
  return {};
}

std::vector<std::string_view> operations_of(const Layer& layer, Direction direction) {
  using Operations = std::vector<std::string_view>;
  const bool forward = direction == Direction::forward;
  switch (layer.spec.type) {
    case LayerType::conv2d: return conv2d_operations(layer, forward);
    case LayerType::conv_transpose2d:
      return {forward ? "aten::conv_transpose2d" : "aten::convolution_backward"};
    case LayerType::max_pool2d:
      return {forward ? "aten::max_pool2d" : "aten::max_pool2d_with_indices_backward"};
    case LayerType::relu: return {forward ? "aten::relu" : "aten::threshold_backward"};
    case LayerType::clipped_relu: return {forward ? "aten::hardtanh" : "aten::hardtanh_backward"};
    case LayerType::linear: return forward ? Operations{"aten::linear"} : Operations{"aten::mm", "aten::sum"};
    case LayerType::flatten: return {forward ? "aten::flatten" : "aten::reshape"};
    case LayerType::lookup:
      return forward ? Operations{"aten::clamp", "aten::mul", "aten::round", "aten::index"}
                     : Operations{"aten::_index_put_impl_"};
  }
  throw Error(ErrorKind::bug, "unknown layer type");
}

std::vector<std::string_view> operations_of(LossType loss, Direction direction) {
  switch (loss) {
    case LossType::half_mse:
      if (direction == Direction::forward) return {"aten::mse_loss", "aten::mul"};
      return {"aten::mul", "aten::mse_loss_backward"};
  }
  throw Error(ErrorKind::bug, "unknown loss");
}

std::vector<std::string_view> operations_of(OptimizerType optimizer) {
  switch (optimizer) {
    case OptimizerType::adam: return {"aten::_foreach_add_", "aten::_fused_adam_"};
  }
  throw Error(ErrorKind::bug, "unknown optimiser");
}

}  // namespace repro

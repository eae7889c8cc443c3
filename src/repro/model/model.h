#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repro/spec/spec.h"
#include "repro/tensor/tensor.h"

namespace repro {

// The shape of one observation between layers. An image is {channels, rows, columns}; behind a
// `flatten` or `linear` it is {features}.
using FeatureShape = Shape;

enum class ParameterKind { weight, bias };

// A learnable: "<layer>.weight" or "<layer>.bias", float32, layouts as in PyTorch:
//   conv2d            weight {filters, in_channels, kernel, kernel}, bias {filters}
//   conv_transpose2d  weight {in_channels, filters, kernel, kernel}, bias {filters}
//   linear            weight {units, in_features}, bias {units}
//   lookup            weight {entries, width} (no bias); channel c of the input becomes the
//   channels
//                     c * width + j, j in [0, width)
struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::weight;
  Shape shape;
  // For Glorot. Convolutions: kernel positions times input and output channels; linear: features
  // and units; lookup: entries and width.
  std::int64_t fan_in = 0;
  std::int64_t fan_out = 0;
};

struct Layer {
  LayerSpec spec;
  FeatureShape input;
  FeatureShape output;
  // Rows or columns before and after, resolved from `padding`: zeros for conv2d, minus infinity for
  // max_pool2d, cut off the output for conv_transpose2d. Equal, except that for a conv2d with
  // "same" and an odd total `after` is one more. The same for rows and columns.
  std::int64_t padding_before = 0;
  std::int64_t padding_after = 0;
  std::vector<std::size_t> parameters;  // indices into Model::parameters
};

// The layer list with all shapes inferred. Pure data, no LibTorch.
struct Model {
  FeatureShape input;
  FeatureShape output;
  std::vector<Layer> layers;
  std::vector<Parameter> parameters;  // registration order = order of layers, weight before bias
};

// Infers shapes for observations of shape `input` ({channels, rows, columns}). SpecError
// (spec/mistakes.h) listing every layer that cannot be (JSON pointer, what it expects, what it
// gets), for instance "/model/layers/16: layer conv4 expects 3 or more rows, gets 2". Where a
// layer's output cannot be told, the layers behind it are not judged.
Model infer_model(const ModelSpec& spec, const FeatureShape& input);

// No tensor has more elements (LibTorch indexes with 32 bits in many places), no network more
// learnables.
inline constexpr std::uint64_t max_tensor_elements = 2147483647;
inline constexpr std::uint64_t max_learnables = std::uint64_t{1} << 36;

// Elements of all parameters together.
std::uint64_t learnable_count(const Model& model);

// Error{request} unless the network has learnables and its output as many elements as a target of
// shape `target` ({channels, rows, columns}): "the network's output is 1x30x30, the target
// 1x32x32".
void check_output(const Model& model, const Shape& target);

// The initial value of `parameter`: Glorot and Bengio, "Understanding the difficulty of training
// deep feedforward neural networks", AISTATS 2010: uniform over [-b, b), b = sqrt(6 / (fan_in +
// fan_out)), for weights (kernel area included in the fans); zero for biases. Value i is float((2
// u_i - 1) b) with u_i the i-th unit24() of the stream "init/<name>" under `seed`, computed in
// double: the same bits on every machine.
Tensor initial_value(const Parameter& parameter, std::uint32_t seed);

}  // namespace repro

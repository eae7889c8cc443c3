#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repro/model/model.h"

namespace repro {

// What one layer does to an observation.
struct LayerShapes {
  // Nothing where the layer's mistakes leave the shape behind it unknown.
  std::optional<FeatureShape> output;
  std::int64_t padding_before = 0;
  std::int64_t padding_after = 0;
  // Each "layer conv4 expects 3 or more rows, gets 2", without the pointer.
  std::vector<std::string> mistakes;
};

// Formulas as in PyTorch's Conv2d, ConvTranspose2d and MaxPool2d with dilation 1. `input` is an
// image or features; sizes are those that decode_spec admits.
LayerShapes infer_layer(const LayerSpec& layer, const FeatureShape& input);

// The learnables of a layer: names, shapes and fans.
std::vector<Parameter> parameters_of(const LayerSpec& layer, const FeatureShape& input);

}  // namespace repro

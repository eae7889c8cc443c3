#include "repro/base/text.h"
#include "repro/model/layer_shapes.h"
#include "repro/model/model.h"
#include "repro/spec/mistakes.h"

namespace repro {
namespace {

bool too_large(const Shape& shape) {
  const auto count = checked_element_count(shape);
  return !count || *count > max_tensor_elements;
}

// Adds the layer to the model and gives its output, or nothing if that is unknown.
std::optional<FeatureShape> add_layer(const LayerSpec& spec, const FeatureShape& input,
                                      const std::string& pointer, Model& model, Mistakes& mistakes) {
  LayerShapes shapes = infer_layer(spec, input);
  for (const std::string& mistake : shapes.mistakes) mistakes.add(pointer, mistake);
  if (!shapes.output) return std::nullopt;
  const std::string allowed = "; at most " + std::to_string(max_tensor_elements) + " are allowed";
  const std::string name = "layer " + displayable(spec.name);
  if (too_large(*shapes.output)) {
    mistakes.add(pointer, name + " gives too many values, " + shape_text(*shapes.output) + allowed);
    return std::nullopt;
  }
  Layer layer{spec, input, *shapes.output, shapes.padding_before, shapes.padding_after, {}};
  // A layer that got the wrong kind of input has no parameters that could be told.
  const std::vector<Parameter> parameters =
      shapes.mistakes.empty() ? parameters_of(spec, input) : std::vector<Parameter>{};
  for (const Parameter& parameter : parameters) {
    if (too_large(parameter.shape)) {
      mistakes.add(pointer, name + " has too many values in " + displayable(parameter.name) + ", " +
                                shape_text(parameter.shape) + allowed);
    }
    layer.parameters.push_back(model.parameters.size());
    model.parameters.push_back(parameter);
  }
  model.layers.push_back(std::move(layer));
  return shapes.output;
}

void check_total(const Model& model, Mistakes& mistakes) {
  std::uint64_t total = 0;
  for (const Parameter& parameter : model.parameters) {
    if (too_large(parameter.shape)) return;  // already reported
    total += element_count(parameter.shape);
  }
  if (total <= max_learnables) return;
  mistakes.add("/model/layers", "the network has " + std::to_string(total) + " learnables; at most " +
                                    std::to_string(max_learnables) + " are allowed");
}

}  // namespace

Model infer_model(const ModelSpec& spec, const FeatureShape& input) {
  Mistakes mistakes;
  Model model;
  model.input = input;
  std::optional<FeatureShape> shape = input;
  for (std::size_t i = 0; i < spec.layers.size() && shape; ++i) {
    const std::string pointer = "/model/layers/" + std::to_string(i);
    shape = add_layer(spec.layers[i], FeatureShape(*shape), pointer, model, mistakes);
  }
  check_total(model, mistakes);
  mistakes.throw_if_any();
  model.output = *shape;
  return model;
}

std::uint64_t learnable_count(const Model& model) {
  std::uint64_t total = 0;
  for (const Parameter& parameter : model.parameters) total += element_count(parameter.shape);
  return total;
}

}  // namespace repro

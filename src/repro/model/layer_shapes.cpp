#include "repro/model/layer_shapes.h"

#include <algorithm>

#include "repro/base/text.h"

namespace repro {
namespace {

// {channels, rows, columns}.
constexpr std::size_t image_rank = 3;

std::string kind_of(const FeatureShape& shape) {
  if (shape.size() == image_rank) return "an image of " + shape_text(shape);
  return plural(shape.empty() ? 1 : shape[0], "feature");
}

// Collects one layer's result.
class Inference {
 public:
  Inference(const LayerSpec& layer, const FeatureShape& input) : layer_(layer), input_(input) {}
  LayerShapes run();

 private:
  bool expect_image();
  void convolution(std::int64_t channels);
  void transposed();
  void pooling();
  void linear();
  std::int64_t same_padding(std::size_t dimension) const;
  bool resolve_padding();
  void windows(std::int64_t channels);
  void complain(const std::string& text) {
    result_.mistakes.push_back("layer " + displayable(layer_.name) + " " + text);
  }

  const LayerSpec& layer_;
  const FeatureShape& input_;
  LayerShapes result_;
};

bool Inference::expect_image() {
  if (input_.size() == image_rank) return true;
  complain("expects an image, gets " + kind_of(input_));
  return false;
}

// Rows (dimension 1) or columns (2) that "same" adds, both sides together.
std::int64_t Inference::same_padding(std::size_t dimension) const {
  const std::int64_t size = input_[dimension];
  const std::int64_t windows = (size + layer_.stride - 1) / layer_.stride;
  return std::max<std::int64_t>((windows - 1) * layer_.stride + layer_.kernel - size, 0);
}

bool Inference::resolve_padding() {
  if (!layer_.padding.same) {
    result_.padding_before = result_.padding_after = layer_.padding.amount;
    return true;
  }
  const std::int64_t total = same_padding(1);
  if (total != same_padding(2)) {
    complain("expects rows and columns that need equal padding \"same\", gets " + shape_text(input_) +
             " that need " + std::to_string(total) + " and " + std::to_string(same_padding(2)));
    return false;
  }
  result_.padding_before = total / 2;
  result_.padding_after = total - total / 2;
  return true;
}

// A window of kernel x kernel moved by the stride over the padded image.
void Inference::windows(std::int64_t channels) {
  const std::int64_t padding = result_.padding_before + result_.padding_after;
  const std::int64_t smallest = std::max<std::int64_t>(layer_.kernel - padding, 1);
  const bool rows_good = input_[1] >= smallest;
  const bool columns_good = input_[2] >= smallest;
  if (!rows_good || !columns_good) {
    const std::string what = rows_good ? "columns" : columns_good ? "rows" : "rows and columns";
    const std::string gets = rows_good      ? std::to_string(input_[2])
                             : columns_good ? std::to_string(input_[1])
                                            : std::to_string(input_[1]) + "x" + std::to_string(input_[2]);
    return complain("expects " + std::to_string(smallest) + " or more " + what + ", gets " + gets);
  }
  const auto along = [&](std::size_t dimension) {
    return (input_[dimension] + padding - layer_.kernel) / layer_.stride + 1;
  };
  result_.output = FeatureShape{channels, along(1), along(2)};
}

void Inference::convolution(std::int64_t channels) {
  if (expect_image() && resolve_padding()) windows(channels);
}

void Inference::pooling() {
  if (!expect_image() || !resolve_padding()) return;
  const std::int64_t largest = layer_.kernel / 2;
  const std::int64_t before = result_.padding_before;
  if (before != result_.padding_after) {
    complain("expects equal padding on both sides, gets " + std::to_string(before) + " and " +
             std::to_string(result_.padding_after) + " from \"same\"");
  } else if (before > largest) {
    complain("expects a padding of at most half its kernel, " + std::to_string(largest) + ", gets " +
             std::to_string(before));
  }
  windows(input_[0]);
}

void Inference::transposed() {
  if (!expect_image()) return;
  if (layer_.padding.same) {
    return complain(
        "expects an integer as padding, gets \"same\", which is not defined for "
        "transposed convolutions");
  }
  result_.padding_before = result_.padding_after = layer_.padding.amount;
  const auto along = [&](std::size_t dimension) {
    return (input_[dimension] - 1) * layer_.stride - 2 * layer_.padding.amount + layer_.kernel;
  };
  if (along(1) < 1 || along(2) < 1) {
    return complain("expects a padding that leaves 1 or more rows and columns, gets " +
                    std::to_string(layer_.padding.amount) + ", which leaves " + std::to_string(along(1)) +
                    "x" + std::to_string(along(2)));
  }
  result_.output = FeatureShape{layer_.filters, along(1), along(2)};
}

void Inference::linear() {
  if (input_.size() == image_rank) {
    complain("expects features, gets " + kind_of(input_) + "; add a flatten layer before it");
  }
  result_.output = FeatureShape{layer_.units};
}

LayerShapes Inference::run() {
  switch (layer_.type) {
    case LayerType::conv2d: convolution(layer_.filters); break;
    case LayerType::conv_transpose2d: transposed(); break;
    case LayerType::max_pool2d: pooling(); break;
    case LayerType::relu:
    case LayerType::clipped_relu: result_.output = input_; break;
    case LayerType::linear: linear(); break;
    case LayerType::flatten:
      result_.output = FeatureShape{static_cast<std::int64_t>(element_count(input_))};
      break;
    case LayerType::lookup:
      if (expect_image()) result_.output = FeatureShape{input_[0] * layer_.width, input_[1], input_[2]};
      break;
  }
  return std::move(result_);
}

Parameter parameter(const LayerSpec& layer, ParameterKind kind, Shape shape, std::int64_t fan_in,
                    std::int64_t fan_out) {
  const char* suffix = kind == ParameterKind::weight ? ".weight" : ".bias";
  return {layer.name + suffix, kind, std::move(shape), fan_in, fan_out};
}

std::vector<Parameter> weight_and_bias(const LayerSpec& layer, Shape shape, std::int64_t fan_in,
                                       std::int64_t fan_out, std::int64_t outputs) {
  return {parameter(layer, ParameterKind::weight, std::move(shape), fan_in, fan_out),
          parameter(layer, ParameterKind::bias, {outputs}, fan_in, fan_out)};
}

}  // namespace

LayerShapes infer_layer(const LayerSpec& layer, const FeatureShape& input) {
  return Inference(layer, input).run();
}

std::vector<Parameter> parameters_of(const LayerSpec& layer, const FeatureShape& input) {
  const std::int64_t area = layer.kernel * layer.kernel;
  const std::int64_t k = layer.kernel;
  switch (layer.type) {
    case LayerType::conv2d:
      return weight_and_bias(layer, {layer.filters, input[0], k, k}, area * input[0], area * layer.filters,
                             layer.filters);
    case LayerType::conv_transpose2d:
      return weight_and_bias(layer, {input[0], layer.filters, k, k}, area * input[0], area * layer.filters,
                             layer.filters);
    case LayerType::linear:
      return weight_and_bias(layer, {layer.units, input[0]}, input[0], layer.units, layer.units);
    case LayerType::lookup:
      return {
          parameter(layer, ParameterKind::weight, {layer.entries, layer.width}, layer.entries, layer.width)};
    case LayerType::max_pool2d:
    case LayerType::relu:
    case LayerType::clipped_relu:
    case LayerType::flatten: return {};
  }
  return {};
}

}  // namespace repro

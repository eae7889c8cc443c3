#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/model/model.h"
#include "repro/spec/decode.h"

namespace repro {
namespace {

using List = std::vector<std::string>;

// A network of the given layers behind a spec that is otherwise valid.
ModelSpec model_spec(const std::string& layers) {
  const std::string text =
      R"({"data": {}, "loss": {"type": "half_mse"}, "optimizer": {"type": "adam"},
    "training": {"epochs": 1, "batch_size": 1}, "model": {"layers": )" +
      layers + "}}";
  return decode_spec(text, "x").model;
}

Model infer(const std::string& layers, const FeatureShape& input) {
  return infer_model(model_spec(layers), input);
}

List mistakes(const std::string& layers, const FeatureShape& input) {
  try {
    infer(layers, input);
  } catch (const SpecError& error) {
    CHECK(error.kind() == ErrorKind::request);
    return error.mistakes();
  }
  return {};
}

Spec config(const std::string& name) {
  return decode_spec(read_text_file(fs::path(REPRO_SOURCE_DIR) / "configs" / name), "x");
}

TEST_CASE("digits.json has 12,609 learnables in 14 tensors") {
  for (const char* name : {"digits.json", "mnist.json"}) {
    const Model model = infer_model(config(name).model, {1, 32, 32});
    CHECK(model.parameters.size() == 14);
    CHECK(learnable_count(model) == 12609);
    CHECK(model.output == FeatureShape{1, 32, 32});
    CHECK_NOTHROW(check_output(model, {1, 32, 32}));
    List names;
    for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
    CHECK(names == List{"conv1.weight", "conv1.bias", "conv2.weight", "conv2.bias", "conv3.weight",
                        "conv3.bias", "upconv1.weight", "upconv1.bias", "upconv2.weight", "upconv2.bias",
                        "upconv3.weight", "upconv3.bias", "conv4.weight", "conv4.bias"});
    CHECK(model.parameters[6].shape == Shape{32, 32, 2, 2});
    CHECK(model.parameters[8].shape == Shape{32, 16, 2, 2});
    CHECK(model.layers[11].parameters == std::vector<std::size_t>{8, 9});
  }
}

TEST_CASE("the other configs fit their images too") {
  const Model lookup = infer_model(config("lookup.json").model, {1, 28, 28});
  CHECK_NOTHROW(check_output(lookup, {1, 28, 28}));
  CHECK(lookup.layers[0].output == FeatureShape{4, 28, 28});
  CHECK(lookup.parameters[0].name == "lookup1.weight");
  CHECK(lookup.parameters[0].shape == Shape{256, 4});
  CHECK_NOTHROW(check_output(infer_model(config("tiny.json").model, {1, 32, 32}), {1, 32, 32}));
}

// One layer's text, the input, and the output or the first mistake's text.
struct Case {
  std::string layer;
  FeatureShape input;
  FeatureShape output;
};

TEST_CASE("shapes of single layers") {
  const std::vector<Case> cases = {
      {R"("conv2d", "filters": 2, "kernel": 3)", {1, 3, 9}, {2, 1, 7}},
      {R"("conv2d", "filters": 2, "kernel": 3, "stride": 2)", {1, 8, 9}, {2, 3, 4}},
      {R"("conv2d", "filters": 2, "kernel": 3, "padding": 1)", {1, 1, 5}, {2, 1, 5}},
      {R"("conv2d", "filters": 2, "kernel": 5, "stride": 2, "padding": 2)", {4, 7, 8}, {2, 4, 4}},
      {R"("conv2d", "filters": 2, "kernel": 4, "padding": "same")", {1, 7, 8}, {2, 7, 8}},
      {R"("conv2d", "filters": 2, "kernel": 3, "stride": 2, "padding": "same")", {1, 7, 9}, {2, 4, 5}},
      {R"("conv2d", "filters": 2, "kernel": 1, "stride": 3, "padding": "same")", {1, 7, 9}, {2, 3, 3}},
      {R"("conv_transpose2d", "filters": 3, "kernel": 2)", {1, 4, 5}, {3, 8, 10}},
      {R"("conv_transpose2d", "filters": 3, "kernel": 4, "stride": 2, "padding": 1)", {1, 4, 5}, {3, 8, 10}},
      {R"("conv_transpose2d", "filters": 3, "kernel": 3, "stride": 1)", {1, 4, 5}, {3, 6, 7}},
      {R"("max_pool2d", "kernel": 2)", {3, 5, 4}, {3, 2, 2}},
      {R"("max_pool2d", "kernel": 3, "stride": 2, "padding": 1)", {3, 8, 7}, {3, 4, 4}},
      {R"("max_pool2d", "kernel": 3, "stride": 1, "padding": "same")", {3, 8, 7}, {3, 8, 7}},
      {R"("relu")", {3, 8, 7}, {3, 8, 7}},
      {R"("clipped_relu")", {17}, {17}},
      {R"("flatten")", {3, 8, 7}, {168}},
      {R"("flatten")", {168}, {168}},
      {R"("linear", "units": 5)", {168}, {5}},
      {R"("lookup", "entries": 9, "width": 4)", {3, 8, 7}, {12, 8, 7}},
  };
  for (const Case& c : cases) {
    INFO(c.layer << " on " << shape_text(c.input));
    CHECK(infer("[{\"type\": " + c.layer + "}]", c.input).output == c.output);
  }
}

TEST_CASE("an odd padding has one more at the end") {
  const Model model =
      infer(R"([{"type": "conv2d", "filters": 2, "kernel": 4, "padding": "same"}])", {1, 7, 8});
  CHECK(model.layers[0].padding_before == 1);
  CHECK(model.layers[0].padding_after == 2);
}

TEST_CASE("layers that do not fit say what they expect and what they get") {
  const auto one = [](const std::string& layer, const FeatureShape& input) {
    const List list = mistakes("[{\"name\": \"x\", \"type\": " + layer + "}]", input);
    return list.size() == 1 ? list[0] : std::to_string(list.size()) + " mistakes";
  };
  const std::string x = "/model/layers/0: layer x ";
  CHECK(one(R"("conv2d", "filters": 1, "kernel": 3)", {1, 2, 9}) == x + "expects 3 or more rows, gets 2");
  CHECK(one(R"("conv2d", "filters": 1, "kernel": 3)", {1, 9, 2}) == x + "expects 3 or more columns, gets 2");
  CHECK(one(R"("conv2d", "filters": 1, "kernel": 5, "padding": 1)", {1, 2, 1}) ==
        x + "expects 3 or more rows and columns, gets 2x1");
  CHECK(one(R"("max_pool2d", "kernel": 2)", {1, 1, 2}) == x + "expects 2 or more rows, gets 1");
  CHECK(one(R"("max_pool2d", "kernel": 3, "padding": 2)", {1, 8, 8}) ==
        x + "expects a padding of at most half its kernel, 1, gets 2");
  CHECK(one(R"("max_pool2d", "kernel": 2, "stride": 1, "padding": "same")", {1, 8, 8}) ==
        x + "expects equal padding on both sides, gets 0 and 1 from \"same\"");
  CHECK(one(R"("conv2d", "filters": 1, "kernel": 3, "stride": 2, "padding": "same")", {1, 7, 8}) ==
        x + "expects rows and columns that need equal padding \"same\", gets 1x7x8 that need 2 and "
            "1");
  CHECK(one(R"("conv_transpose2d", "filters": 1, "kernel": 2, "padding": "same")", {1, 8, 8}) ==
        x + "expects an integer as padding, gets \"same\", which is not defined for transposed "
            "convolutions");
  CHECK(one(R"("conv_transpose2d", "filters": 1, "kernel": 2, "padding": 1)", {1, 1, 8}) ==
        x + "expects a padding that leaves 1 or more rows and columns, gets 1, which leaves 0x14");
  CHECK(one(R"("linear", "units": 1)", {1, 8, 8}) ==
        x + "expects features, gets an image of 1x8x8; add a flatten layer before it");
  CHECK(one(R"("lookup", "entries": 2, "width": 1)", {8}) == x + "expects an image, gets 8 features");
  CHECK(one(R"("conv2d", "filters": 1, "kernel": 1)", {1}) == x + "expects an image, gets 1 feature");
}

TEST_CASE("mistakes are reported together and do not cascade") {
  CHECK(mistakes(R"([{"type": "linear", "units": 4}, {"type": "max_pool2d", "kernel": 2},
                     {"type": "linear", "units": 4}])",
                 {1, 8, 8}) ==
        List{"/model/layers/0: layer linear_1 expects features, gets an image of 1x8x8; add a "
             "flatten layer "
             "before it",
             "/model/layers/1: layer max_pool2d_1 expects an image, gets 4 features"});
  CHECK(mistakes(
            R"([{"type": "max_pool2d", "kernel": 2, "padding": 2}, {"type": "linear", "units": 4},
                     {"type": "linear", "units": 4}])",
            {1, 8, 8})
            .size() == 2);
}

TEST_CASE("sizes that no machine can hold are refused") {
  CHECK(mistakes(R"([{"type": "lookup", "name": "t", "entries": 2, "width": 1000000}])", {3, 4096, 4096}) ==
        List{"/model/layers/0: layer t gives too many values, "
             "3000000x4096x4096; at most 2147483647 are allowed"});
  // 65535 * 32768 is just allowed, and the next one is not.
  CHECK(mistakes(R"([{"type": "linear", "units": 65535}])", {32768}).empty());
  CHECK(mistakes(R"([{"type": "linear", "name": "l", "units": 65536}])", {32768}) ==
        List{"/model/layers/0: layer l has too many values in l.weight, 65536x32768; at most "
             "2147483647 are allowed"});
  std::string many = "[";
  for (int i = 0; i < 40; ++i) many += R"({"type": "linear", "units": 46000},)";
  many.back() = ']';
  CHECK(mistakes(many, {46000}).front().find("learnables; at most 68719476736") != std::string::npos);
}

TEST_CASE("the output must have as many values as the target") {
  const Model model = infer(R"([{"type": "conv2d", "filters": 1, "kernel": 3}])", {1, 32, 32});
  CHECK_NOTHROW(check_output(model, {1, 30, 30}));
  try {
    check_output(model, {1, 32, 32});
    FAIL("no exception");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::request);
    CHECK(error.message() == "/model/layers: the network's output is 1x30x30, the target 1x32x32");
  }
  CHECK_THROWS_AS(check_output(infer(R"([{"type": "relu"}])", {1, 2, 2}), {1, 2, 2}), Error);
}

}  // namespace
}  // namespace repro

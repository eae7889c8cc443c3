#include "spec_testing.h"

namespace repro {
namespace {

using testing::decode_with;
using testing::mistakes_with;
using List = std::vector<std::string>;

List mistakes_of_layers(const std::string& layers) { return mistakes_with({"/model/layers=" + layers}); }
std::vector<LayerSpec> layers_of(const std::string& layers) {
  return decode_with({"/model/layers=" + layers}).model.layers;
}

TEST_CASE("defaults of layers depend on the type") {
  const auto layers = layers_of(R"([
    {"type": "conv2d", "filters": 1, "kernel": 3}, {"type": "max_pool2d", "kernel": 3},
    {"type": "conv_transpose2d", "filters": 1, "kernel": 4}, {"stride": 1, "kernel": 5, "type": "max_pool2d"},
    {"type": "conv2d", "filters": 1, "kernel": 3, "padding": "same"}])");
  CHECK(layers[0].stride == 1);
  CHECK(layers[0].padding == Padding{false, 0});
  CHECK(layers[1].stride == 3);
  CHECK(layers[2].stride == 4);
  CHECK(layers[3].stride == 1);
  CHECK(layers[4].padding == Padding{true, 0});
}

TEST_CASE("a key of another layer type is told so") {
  CHECK(mistakes_of_layers(R"([{"type": "relu", "units": 3}])") ==
        List{"/model/layers/0/units: a key of 'linear' layers, not of 'relu'"});
  CHECK(mistakes_of_layers(R"([{"type": "linear", "units": 3, "kernel": 3}])") ==
        List{"/model/layers/0/kernel: a key of 'conv2d', 'conv_transpose2d' and 'max_pool2d' "
             "layers, not of "
             "'linear'"});
  CHECK(mistakes_of_layers(R"([{"type": "relu", "unit": 3}])") ==
        List{"/model/layers/0/unit: unknown key; 'units' is a key of 'linear' layers, not of 'relu'"});
  // Without a type nothing is said about the other keys.
  CHECK(mistakes_of_layers(R"([{"units": 3}])") == List{"/model/layers/0/type: missing; required"});
}

TEST_CASE("padding is an integer or same") {
  const std::string layer = R"([{"type": "conv2d", "filters": 1, "kernel": 1, "padding": )";
  CHECK(mistakes_of_layers(layer + "0}]").empty());
  CHECK(mistakes_of_layers(layer + "\"valid\"}]") ==
        List{"/model/layers/0/padding: the string \"valid\" is neither \"same\" nor an integer; "
             "allowed: \"same\" or "
             "0 to 1024"});
  CHECK(mistakes_of_layers(layer + "-1}]") ==
        List{"/model/layers/0/padding: -1 is out of range; allowed: 0 to 1024"});
}

TEST_CASE("layer names") {
  const auto layers = layers_of(R"([{"type": "relu"}, {"type": "relu", "name": "_a1"}, {"type": "relu"},
                                    {"type": "flatten"}])");
  CHECK(layers[0].name == "relu_1");
  CHECK(layers[2].name == "relu_3");
  CHECK(layers[3].name == "flatten_1");

  for (const char* name : {"", "a.b", "1a", "input", "predictions", "adam", "a b", "\\u00e4", "a\\u0000"}) {
    INFO(name);
    CHECK(mistakes_of_layers(R"([{"type": "relu", "name": ")" + std::string(name) + "\"}]").size() == 1);
  }
  CHECK(mistakes_of_layers(R"([{"type": "relu", "name": "a"}, {"type": "flatten", "name": "a"}])") ==
        List{"/model/layers/1/name: 'a' is already the name of /model/layers/0"});
  CHECK(mistakes_of_layers(R"([{"type": "relu"}, {"type": "flatten", "name": "relu_1"}])") ==
        List{"/model/layers/1/name: 'relu_1' is the default name of /model/layers/0 and the name "
             "of this layer; "
             "give one of them another name"});
  CHECK(mistakes_of_layers(R"([{"type": "flatten", "name": "relu_1"}, {"type": "relu"}])") ==
        List{"/model/layers/1/name: 'relu_1' is the default name of this layer and already the "
             "name of "
             "/model/layers/0; give one of them another name"});
}

TEST_CASE("the number of layers") {
  const auto relus = [](int count) {
    std::string out = "[{\"type\":\"relu\"}";
    for (int i = 1; i < count; ++i) out += ",{\"type\":\"relu\"}";
    return out + "]";
  };
  CHECK(layers_of(relus(10000)).back().name == "relu_10000");
  CHECK(mistakes_of_layers(relus(10001)) == List{"/model/layers: an array of 10,001 elements is "
                                                 "out of range; allowed: 1 to 10000 elements"});
  CHECK(mistakes_of_layers("[]").size() == 1);
}

}  // namespace
}  // namespace repro

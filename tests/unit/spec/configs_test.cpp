#include "spec_testing.h"

namespace repro {
namespace {

using testing::config_names;
using testing::config_text;

TEST_CASE("law: decode(encode(spec)) == spec") {
  std::vector<Spec> specs = {testing::decode_with({})};
  for (const std::string& name : config_names()) specs.push_back(decode_spec(config_text(name), "stem"));
  specs.push_back(testing::decode_with(
      {R"(/model/layers=[{"type": "lookup", "entries": 2, "width": 3}, {"type": "max_pool2d", "kernel": 3, "stride": 2,
          "padding": 1}, {"type": "conv_transpose2d", "filters": 1, "kernel": 2}, {"type": "flatten"},
          {"type": "linear", "units": 5}, {"type": "clipped_relu", "ceiling": 0.1}])",
       "/training/validation_patience=null", "/optimizer/learning_rate=5e-324", "/audit/determinism=\"both\"",
       "/name=\"q\\\"\xC3\xA4\""}));
  for (const Spec& spec : specs) {
    const std::string text = encode_spec(spec);
    INFO(text);
    CHECK(decode_spec(text, "another") == spec);
    CHECK(encode_spec(decode_spec(text, "another")) == text);
  }
  for (std::size_t i = 1; i < specs.size(); ++i) CHECK_FALSE(specs[i] == specs[i - 1]);
}

TEST_CASE("encoding leaves no key out") {
  const std::string text = encode_spec(testing::decode_with({}));
  for (const char* part :
       {"\"noise\": null", "\"validation_patience\": 5", "\"cudnn_benchmark_limit\": 10",
        "\"cublas_workspace\": \":4096:8\"", "\"name\": \"conv2d_1\"", "\"learning_rate\": 0.001"}) {
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring(part));
  }
}

TEST_CASE("digits.json is the experiment of the reference") {
  const Spec spec = decode_spec(config_text("digits.json"), "digits");
  CHECK(spec.name == "digits");
  CHECK(spec.data.count == 10000);
  CHECK(spec.input.noise->density == 0.05);
  CHECK(spec.input.resize->size == std::array<std::int64_t, 2>{32, 32});
  CHECK(spec.input.scale.has_value());
  CHECK(spec.input.rotate_90);
  CHECK(spec.input.normalization.has_value());
  CHECK(spec.model.layers.size() == 17);
  CHECK(spec.training.epochs == 5);
  CHECK(spec.training.batch_size == 500);
  // Apart from what it must say, everything is the default.
  Spec defaults = testing::decode_with({});
  CHECK(spec.optimizer == defaults.optimizer);
  CHECK(spec.execution == defaults.execution);
  CHECK(spec.audit == defaults.audit);
  CHECK(spec.data == defaults.data);
}

TEST_CASE("mnist.json differs from digits.json in the data only") {
  Spec mnist = decode_spec(config_text("mnist.json"), "mnist");
  const Spec digits = decode_spec(config_text("digits.json"), "digits");
  CHECK(mnist.data.type == DataType::idx);
  CHECK(mnist.data.images == "../data/mnist/t10k-images-idx3-ubyte.gz");
  mnist.name = digits.name;
  mnist.data = digits.data;
  CHECK(mnist == digits);
}

TEST_CASE("lookup.json looks up more than 32,768 pixels a batch with two threads") {
  const Spec spec = decode_spec(config_text("lookup.json"), "lookup");
  CHECK(spec.model.layers.front().type == LayerType::lookup);
  CHECK(spec.training.batch_size * 28 * 28 > 32768);
  CHECK_FALSE(spec.input.resize.has_value());
  CHECK(spec.execution.threads == 2);
}

}  // namespace
}  // namespace repro

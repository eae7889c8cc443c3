#include "repro/engine/libtorch/engine.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <bit>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <map>

#include "repro/engine/libtorch/determinism.h"
#include "repro/engine/libtorch/facts.h"
#include "repro/snapshot/fingerprint.h"
#include "support/tiny_spec.h"

namespace repro {
namespace {

std::vector<NamedTensor> initial(const Model& model, std::uint32_t seed = 0) {
  std::vector<NamedTensor> out;
  for (const Parameter& p : model.parameters) out.push_back({p.name, initial_value(p, seed)});
  return out;
}

std::vector<Fingerprint> weights(Engine& engine) {
  std::vector<Fingerprint> out;
  engine.visit_learnables([&](std::string_view, const TensorView& t) { out.push_back(fingerprint(t)); });
  return out;
}

// Trains `steps` steps of a spec and gives the fingerprints of the weights.
std::vector<Fingerprint> trained(const Spec& spec, int steps, int threads, MemoryFormat format) {
  use_threads(threads);
  const Dataset dataset(spec, ".");
  const Model model = infer_model(spec.model, dataset.observation_shape());
  LibTorchEngine engine({"cpu", format, spec.optimizer});
  engine.initialise(model, initial(model));
  const auto order = dataset.order(1);
  const auto size = static_cast<std::size_t>(spec.training.batch_size);
  for (int s = 0; s < steps; ++s) {
    engine.forward_backward(
        dataset.training_batch(1, std::span(order).subspan(static_cast<std::size_t>(s) * size, size)));
    engine.update(spec.optimizer.learning_rate);
  }
  return weights(engine);
}

TEST_CASE("equal trainings give equal weights; another seed, rate or memory format other ones") {
  const Spec spec = tiny_spec();
  const auto reference = trained(spec, 4, 2, MemoryFormat::contiguous);
  CHECK(reference == trained(spec, 4, 2, MemoryFormat::contiguous));
  CHECK(reference != trained(tiny_spec({"/seed/data=1"}), 4, 2, MemoryFormat::contiguous));
  CHECK(reference != trained(tiny_spec({"/optimizer/learning_rate=0.002"}), 4, 2, MemoryFormat::contiguous));
}

TEST_CASE("gradients agree with finite differences of the loss") {
  const Spec spec = tiny_spec({"/data/count=40", "/training/batch_size=10"});
  const Dataset dataset(spec, ".");
  const Model model = infer_model(spec.model, dataset.observation_shape());
  const auto order = dataset.order(1);
  const Batch batch = dataset.training_batch(1, std::span(order).first(10));
  // Biases away from zero: with it, dark pixels sit exactly on the kinks of ReLU and clipped ReLU.
  std::vector<NamedTensor> start = initial(model);
  for (NamedTensor& tensor : start) {
    for (float& value : tensor.tensor.values<float>()) value += 0.03F;
  }
  const auto loss_with = [&](std::size_t parameter, float change) {
    auto values = start;
    values[parameter].tensor.values<float>()[0] += change;
    LibTorchEngine engine({"cpu", MemoryFormat::contiguous, spec.optimizer});
    engine.initialise(model, values);
    return static_cast<double>(engine.forward_backward(batch));
  };
  LibTorchEngine engine({"cpu", MemoryFormat::contiguous, spec.optimizer});
  engine.initialise(model, start);
  engine.forward_backward(batch);
  std::size_t parameter = model.parameters.size();
  engine.visit_gradients([&](std::string_view name, const TensorView& gradient) {
    --parameter;  // the gradients come in reversed order
    INFO(name);
    CHECK(name == model.parameters[parameter].name);
    const double estimate = (loss_with(parameter, 1e-3F) - loss_with(parameter, -1e-3F)) / 2e-3;
    CHECK(static_cast<double>(gradient.values<float>()[0]) ==
          Catch::Approx(estimate).margin(0.1).epsilon(0.03));
  });
}

// Trained weights, all in one row.
std::vector<float> trained_values(const Spec& spec, MemoryFormat format) {
  use_threads(2);
  const Dataset dataset(spec, ".");
  const Model model = infer_model(spec.model, dataset.observation_shape());
  LibTorchEngine engine({"cpu", format, spec.optimizer});
  engine.initialise(model, initial(model));
  const auto order = dataset.order(1);
  for (std::size_t first = 0; first + 20 <= order.size(); first += 20) {
    engine.forward_backward(dataset.training_batch(1, std::span(order).subspan(first, 20)));
    engine.update(0.01);
  }
  std::vector<float> out;
  engine.visit_learnables([&](std::string_view, const TensorView& t) {
    const auto values = t.values<float>();
    out.insert(out.end(), values.begin(), values.end());
  });
  return out;
}

TEST_CASE("both memory formats train the same network, up to rounding") {
  const Spec spec = tiny_spec();
  const auto contiguous = trained_values(spec, MemoryFormat::contiguous);
  const auto channels_last = trained_values(spec, MemoryFormat::channels_last);
  REQUIRE(contiguous.size() == channels_last.size());
  for (std::size_t i = 0; i < contiguous.size(); ++i) {
    INFO(i);
    CHECK(contiguous[i] == Catch::Approx(channels_last[i]).margin(1e-3));
  }
}

// The optimiser's state after one step; the weights themselves move by the learning rate almost whatever
// the gradient is.
std::map<std::string, Fingerprint> state_after_one_step(const Spec& spec) {
  const Dataset dataset(spec, ".");
  const Model model = infer_model(spec.model, dataset.observation_shape());
  LibTorchEngine engine({"cpu", MemoryFormat::contiguous, spec.optimizer});
  engine.initialise(model, initial(model));
  engine.forward_backward(dataset.training_batch(1, std::span(dataset.part(Part::train)).first(20)));
  engine.update(spec.optimizer.learning_rate);
  std::map<std::string, Fingerprint> out;
  engine.visit_optimizer_state(
      [&](std::string_view name, const TensorView& t) { out.emplace(name, fingerprint(t)); });
  return out;
}

TEST_CASE("L2 acts on weights, not on biases") {
  const auto with = state_after_one_step(tiny_spec({"/optimizer/l2=0.1"}));
  const auto without = state_after_one_step(tiny_spec({"/optimizer/l2=0"}));
  REQUIRE(with.size() == 12);
  for (const auto& [name, value] : with) {
    INFO(name);
    CHECK((value != without.at(name)) == name.ends_with(".weight"));
  }
}

TEST_CASE("predicting changes nothing and repeats") {
  const Spec spec = tiny_spec();
  const Dataset dataset(spec, ".");
  const Model model = infer_model(spec.model, dataset.observation_shape());
  LibTorchEngine engine({"cpu", MemoryFormat::automatic, spec.optimizer});
  engine.initialise(model, initial(model));
  const auto before = weights(engine);
  const Batch batch = dataset.evaluation_batch(dataset.part(Part::test));
  CHECK(engine.predict(batch.input).storage == engine.predict(batch.input).storage);
  CHECK(weights(engine) == before);
}

TEST_CASE("a lookup rounds half to even, clamps, and refuses NaN") {
  Spec spec = tiny_spec();
  LayerSpec table;
  table.type = LayerType::lookup;
  table.name = "lookup1";
  table.entries = 3;
  table.width = 1;
  spec.model.layers = {table};
  const Model model = infer_model(spec.model, {1, 1, 8});
  Tensor rows(DType::float32, {3, 1});
  std::ranges::copy(std::vector<float>{10, 20, 30}, rows.values<float>().begin());
  LibTorchEngine engine({"cpu", MemoryFormat::contiguous, spec.optimizer});
  engine.initialise(model, std::vector<NamedTensor>{{"lookup1.weight", rows}});
  Tensor input(DType::float32, {1, 1, 1, 8});
  // times 2: 0, 0.5 -> 0, 1, 1.5 -> 2, 2, then clamped below and above
  const std::vector<float> values = {0, 0.25F, 0.5F, 0.75F, 1, -7, 7, -0.0F};
  std::ranges::copy(values, input.values<float>().begin());
  const Tensor output = engine.predict(input);
  CHECK(std::ranges::equal(output.values<float>(), std::vector<float>{10, 10, 20, 30, 30, 10, 30, 10}));
  input.values<float>()[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(engine.predict(input), Error);
}

TEST_CASE("the number of threads is what was asked") {
  use_threads(1);
  CHECK(at::get_num_threads() == 1);
  use_threads(2);
  CHECK(at::get_num_threads() == 2);
}

}  // namespace
}  // namespace repro

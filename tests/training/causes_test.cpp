// What the tables of known causes (advice/known_causes.h) call measured: gradients of one batch, repeated on
// a CPU with one and with two threads, under settings on which they could depend.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "repro/advice/forecast.h"
#include "repro/engine/libtorch/determinism.h"
#include "repro/engine/libtorch/engine.h"
#include "repro/engine/libtorch/facts.h"
#include "repro/snapshot/fingerprint.h"
#include "support/tiny_spec.h"

namespace repro {
namespace {

// Every layer type but the lookup; the first convolution pads its sides differently.
constexpr std::string_view most_layers =
    R"(/model/layers=[{"type": "conv2d", "filters": 8, "kernel": 2, "padding": "same"}, {"type": "relu"},
    {"type": "max_pool2d", "kernel": 2}, {"type": "conv_transpose2d", "filters": 8, "kernel": 2},
    {"type": "clipped_relu", "ceiling": 1}, {"type": "conv2d", "filters": 1, "kernel": 3, "padding": "same"},
    {"type": "flatten"}, {"type": "linear", "units": 784}])";
constexpr std::string_view lookup_layers =
    R"(/model/layers=[{"type": "lookup", "entries": 256, "width": 4}, {"type": "conv2d", "filters": 1, "kernel": 1}])";

// Fingerprints of loss, gradients and updated weights of the same first step, `repetitions` times.
std::set<std::vector<Fingerprint>> repeated(const Spec& spec, const Model& model, const Batch& batch,
                                            MemoryFormat format, int repetitions) {
  std::set<std::vector<Fingerprint>> seen;
  for (int i = 0; i < repetitions; ++i) {
    LibTorchEngine engine({"cpu", format, spec.optimizer});
    std::vector<NamedTensor> start;
    for (const Parameter& p : model.parameters) start.push_back({p.name, initial_value(p, 0)});
    engine.initialise(model, start);
    std::vector<Fingerprint> all;
    const auto take = [&](std::string_view, const TensorView& t) { all.push_back(fingerprint(t)); };
    Tensor loss(DType::float32, {1});
    loss.values<float>()[0] = engine.forward_backward(batch);
    take("loss", loss.view());
    engine.visit_gradients(take);
    engine.update(spec.optimizer.learning_rate);
    engine.visit_learnables(take);
    seen.insert(all);
  }
  return seen;
}

TEST_CASE("what is called deterministic on a CPU repeats bit for bit, and what is not differs") {
  const std::string_view layers = GENERATE(most_layers, lookup_layers);
  const int threads = GENERATE(1, 2);
  const bool algorithms = GENERATE(false, true);
  const bool mkldnn = GENERATE(false, true);
  const MemoryFormat format = GENERATE(MemoryFormat::contiguous, MemoryFormat::channels_last);
  INFO(layers << "\nthreads " << threads << ", algorithms " << algorithms << ", oneDNN " << mkldnn);

  Spec spec = tiny_spec({layers, R"(/input={"scale": "per_image"})"});
  spec.execution.determinism.algorithms = algorithms;
  spec.execution.determinism.mkldnn = mkldnn;
  const Dataset dataset(spec, ".");
  const Model model = infer_model(spec.model, dataset.observation_shape());
  const auto order = dataset.order(1);
  const Batch batch = dataset.training_batch(1, std::span(order).first(100));
  Knowledge known = Knowledge::deterministic;
  for (const ForecastRow& row : forecast(model, spec, "cpu", threads)) {
    if (row.deterministic.knowledge != Knowledge::deterministic) known = row.deterministic.knowledge;
  }

  const DeterminismGuard guard(spec.execution.determinism);
  use_threads(threads);
  const auto seen = repeated(spec, model, batch, format, 8);
  if (known == Knowledge::deterministic) {
    CHECK(seen.size() == 1);
  } else {
    CHECK(known == Knowledge::nondeterministic);
    CHECK(seen.size() > 1);
  }
  // The only combination that differs, said here once more without the tables.
  CHECK((known == Knowledge::nondeterministic) == (layers == lookup_layers && threads == 2 && !algorithms));
}

}  // namespace
}  // namespace repro

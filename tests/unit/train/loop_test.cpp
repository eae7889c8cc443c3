#include "repro/train/loop.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "repro/base/sha256.h"
#include "repro/compare/divergence.h"
#include "repro/snapshot/safetensors.h"
#include "support/fake_engine.h"
#include "support/temporary_folder.h"
#include "support/tiny_spec.h"

namespace repro {
namespace {

class Watcher : public TrainingObserver {
 public:
  void on_step(const StepRow& row, std::int64_t) override { steps.push_back(row); }
  void on_warning(const std::string& message) override { warnings.push_back(message); }
  std::vector<StepRow> steps;
  std::vector<std::string> warnings;
};

struct Trained {
  TemporaryFolder folder;
  Watcher watcher;
  TrainingSummary summary;

  fs::path file(const char* name) const { return folder.path() / name; }
  std::string hash(const char* name) const { return sha256_hex_of_file(file(name)); }
};

std::unique_ptr<Trained> run(const RunRequest& request, FakeEngine engine = {}) {
  auto out = std::make_unique<Trained>();
  const Dataset dataset(request.spec, ".");
  const Model model = infer_model(request.spec.model, dataset.observation_shape());
  out->summary = train(request, dataset, model, engine, out->folder.path(), out->watcher);
  return out;
}

RunRequest request(std::initializer_list<std::string_view> overrides = {}) {
  RunRequest out;
  out.spec = tiny_spec(overrides);
  out.save_optimizer = true;
  return out;
}

std::optional<Divergence> divergence(const Trained& left, const Trained& right) {
  return first_divergence(read_trace(left.file("trace.bin")), read_trace(right.file("trace.bin")));
}

TEST_CASE("equal requests leave equal files; steps and validations are recorded") {
  const auto left = run(request());
  const auto right = run(request());
  for (const char* name : {"weights.safetensors", "predictions.safetensors", "samples.safetensors",
                           "optimizer.safetensors", "trace.bin", "validation.csv"}) {
    CHECK(left->hash(name) == right->hash(name));
  }
  CHECK_FALSE(divergence(*left, *right));
  CHECK(left->summary.steps == 16);
  CHECK(left->summary.epochs == 2);
  CHECK(read_steps_csv(left->file("steps.csv")).size() == 16);
  CHECK(read_validation_csv(left->file("validation.csv")).size() == 2);
  CHECK(read_trace(left->file("trace.bin")).records.size() == 17);
}

TEST_CASE("traces off changes no weight") {
  RunRequest untraced = request();
  untraced.trace = TraceLevel::none;
  const auto left = run(request());
  const auto right = run(untraced);
  CHECK(left->hash("weights.safetensors") == right->hash("weights.safetensors"));
  CHECK_FALSE(fs::exists(right->file("trace.bin")));
}

TEST_CASE("the place where two trainings part is the true one") {
  const auto reference = run(request());
  SECTION("another seed for the weights: at initialisation") {
    const auto found = divergence(*reference, *run(request({"/seed/cpu=1"})));
    REQUIRE(found);
    CHECK(found->step == 0);
    CHECK(found->phase == Phase::initialisation);
    CHECK(found->tensor == "conv1.weight");
  }
  SECTION("another data seed: already in the mean image") {
    const auto found = divergence(*reference, *run(request({"/seed/data=1"})));
    REQUIRE(found);
    CHECK(found->step == 0);
    CHECK(found->tensor == "input.mean");
  }
  SECTION("another order in the second epoch: at the batch of its first step") {
    const auto found = divergence(*reference, *run(request({"/training/shuffle=\"every_epoch\""})));
    REQUIRE(found);
    CHECK(found->step == 9);
    CHECK(found->epoch == 2);
    CHECK(found->batch == 1);
    CHECK(found->phase == Phase::batch);
  }
  SECTION("one ULP of learning rate: at the first update") {
    const auto found =
        divergence(*reference, *run(request({"/optimizer/learning_rate=0.0010000000474974514"})));
    CHECK_FALSE(found);  // the same float: nothing differs in float arithmetic
    const auto next = divergence(*reference, *run(request({"/optimizer/learning_rate=0.00100000016"})));
    REQUIRE(next);
    CHECK(next->step == 1);
    CHECK(next->phase == Phase::update);
  }
  SECTION("one ULP in one weight after step 5") {
    FakeEngine engine;
    engine.after_update = [](std::int64_t step, std::vector<NamedTensor>& weights) {
      if (step != 5) return;
      float& value = weights[2].tensor.values<float>()[3];
      value = std::nextafter(value, 1e9F);
    };
    const auto other = run(request(), engine);
    const auto found = divergence(*reference, *other);
    REQUIRE(found);
    CHECK(found->step == 5);
    CHECK(found->phase == Phase::update);
    CHECK(found->tensor == "upconv1.weight");
    CHECK(reference->hash("weights.safetensors") != other->hash("weights.safetensors"));
  }
}

TEST_CASE("a loss that is not finite is warned about once, with its first step") {
  FakeEngine engine;
  engine.on_loss = [](std::int64_t step, float loss) {
    return step >= 3 ? std::numeric_limits<float>::quiet_NaN() : loss;
  };
  const auto trained = run(request(), engine);
  CHECK(trained->summary.first_nan_step == 3);
  REQUIRE(trained->watcher.warnings.size() == 1);
  CHECK(trained->watcher.warnings[0].find("step 3") != std::string::npos);
  CHECK_FALSE(run(request())->summary.first_nan_step);
}

TEST_CASE("patience ends a training early, and the last state is kept") {
  RunRequest impatient = request(
      {"/training/validation_every=1", "/training/validation_patience=2", "/optimizer/learning_rate=10"});
  const auto trained = run(impatient);
  CHECK(trained->summary.stopped_early);
  CHECK(trained->summary.steps < 16);
  CHECK(read_steps_csv(trained->file("steps.csv")).size() ==
        static_cast<std::size_t>(trained->summary.steps));
  impatient.spec.training.validation_patience.reset();
  CHECK_FALSE(run(impatient)->summary.stopped_early);
}

TEST_CASE("no training step is an error, not an empty result") {
  CHECK_THROWS_AS(run(request({"/training/epochs=0"})), Error);
  CHECK_THROWS_AS(run(request({"/training/batch_size=500"})), Error);
}

TEST_CASE("the test part is predicted twice, and both passes are on file") {
  FakeEngine moody;
  moody.on_prediction = [](std::int64_t call, std::span<float> output) {
    output[0] += static_cast<float>(call);
  };
  const auto passes_equal = [](const Trained& trained) {
    const SafetensorsFile file(trained.file("predictions.safetensors"));
    REQUIRE(file.tensors().size() == 2);
    return std::ranges::equal(file.tensors()[0].tensor.bytes, file.tensors()[1].tensor.bytes);
  };
  CHECK(passes_equal(*run(request())));
  CHECK_FALSE(passes_equal(*run(request(), moody)));
}

TEST_CASE("without validation and test parts their files are absent") {
  const auto trained = run(request({"/data/split={\"train\": 1, \"validation\": 0, \"test\": 0}"}));
  CHECK_FALSE(fs::exists(trained->file("predictions.safetensors")));
  CHECK_FALSE(fs::exists(trained->file("samples.safetensors")));
  CHECK(read_validation_csv(trained->file("validation.csv")).empty());
}

}  // namespace
}  // namespace repro

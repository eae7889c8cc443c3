#include "repro/advice/forecast.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "repro/advice/operations.h"
#include "repro/base/files.h"
#include "repro/spec/decode.h"
#include "repro/spec/names.h"
#include "support/tiny_spec.h"

namespace repro {
namespace {

Spec lookup_spec() {
  return decode_spec(read_text_file(fs::path(REPRO_SOURCE_DIR) / "configs/lookup.json"), "lookup", {});
}

std::vector<ForecastRow> forecast_of(const Spec& spec, const std::string& device, std::int64_t threads = 2) {
  return forecast(infer_model(spec.model, {1, 28, 28}), spec, device, threads);
}

const ForecastRow& row(const std::vector<ForecastRow>& rows, std::string_view layer, std::string_view pass) {
  const auto found =
      std::ranges::find_if(rows, [&](const ForecastRow& r) { return r.layer == layer && r.pass == pass; });
  REQUIRE(found != rows.end());
  return *found;
}

TEST_CASE("every layer type has operations for both directions, other ones for each") {
  for (const LayerType type : enum_values<LayerType>()) {
    Layer layer;
    layer.spec.type = type;
    INFO(name_of(type));
    const auto forward = operations_of(layer, Direction::forward);
    const auto backward = operations_of(layer, Direction::backward);
    CHECK_FALSE(forward.empty());
    CHECK_FALSE(backward.empty());
    CHECK(forward != backward);
    for (const auto& operations : {forward, backward}) {
      for (const std::string_view operation : operations) CHECK(operation.starts_with("aten::"));
    }
  }
  CHECK_FALSE(operations_of(LossType::half_mse, Direction::forward).empty());
  CHECK_FALSE(operations_of(LossType::half_mse, Direction::backward).empty());
  CHECK_FALSE(operations_of(OptimizerType::adam).empty());
}

TEST_CASE("a convolution pads by itself only if both sides are equal") {
  Layer layer;
  layer.spec.type = LayerType::conv2d;
  CHECK(operations_of(layer, Direction::forward).size() == 1);
  layer.padding_after = 1;
  CHECK(operations_of(layer, Direction::forward).size() == 2);
  CHECK(operations_of(layer, Direction::backward).size() == 2);
}

TEST_CASE("on a CPU only the lookup's gradient is in doubt, and only in the group default") {
  const auto rows = forecast_of(lookup_spec(), "cpu");
  CHECK(rows.size() == 2 * lookup_spec().model.layers.size() + 3);
  for (const ForecastRow& r : rows) {
    INFO(r.layer << ' ' << r.pass);
    CHECK(r.deterministic.knowledge == Knowledge::deterministic);
    CHECK(r.deterministic.doubts.empty());
    const bool doubtful = r.layer == "lookup1" && r.pass == "backward";
    CHECK(r.default_group.knowledge == (doubtful ? Knowledge::nondeterministic : Knowledge::deterministic));
    CHECK(r.default_group.doubts.size() == (doubtful ? 1 : 0));
  }
}

TEST_CASE("one thread removes the doubt, and the settings of the spec count") {
  const auto one = forecast_of(lookup_spec(), "cpu", 1);
  CHECK(row(one, "lookup1", "backward").default_group.knowledge == Knowledge::deterministic);
  Spec spec = lookup_spec();
  spec.execution.determinism.algorithms = false;
  const auto off = forecast_of(spec, "cpu");
  CHECK(row(off, "lookup1", "backward").deterministic.knowledge == Knowledge::nondeterministic);
}

TEST_CASE("on a GPU convolutions are in doubt by default; what is not known stays unknown") {
  const auto rows = forecast_of(lookup_spec(), "cuda");
  CHECK(row(rows, "conv1", "forward").default_group.knowledge == Knowledge::nondeterministic);
  CHECK(row(rows, "conv1", "backward").deterministic.knowledge == Knowledge::deterministic);
  const ForecastRow& lookup = row(rows, "lookup1", "backward");
  for (const PassForecast* group : {&lookup.deterministic, &lookup.default_group}) {
    CHECK(group->knowledge == Knowledge::unknown);
    REQUIRE(group->doubts.size() == 1);
    CHECK(group->doubts[0].known.cause == nullptr);
  }
  CHECK(row(rows, "optimizer", "update").default_group.knowledge == Knowledge::deterministic);
}

}  // namespace
}  // namespace repro

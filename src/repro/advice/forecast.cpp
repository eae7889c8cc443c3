#include "repro/advice/forecast.h"

#include "repro/advice/operations.h"

namespace repro {
namespace {

int weight(Knowledge knowledge) {
  switch (knowledge) {
    case Knowledge::deterministic: return 0;
    case Knowledge::unknown: return 1;
    case Knowledge::nondeterministic: return 2;
    case Knowledge::fails: return 3;
  }
  return 0;
}

PassForecast forecast_pass(const std::vector<std::string_view>& operations, const Circumstances& under) {
  PassForecast out;
  for (const std::string_view operation : operations) {
    const Known known = known_of(operation, under);
    if (known.knowledge != Knowledge::deterministic) out.doubts.push_back({operation, known});
    if (weight(known.knowledge) > weight(out.knowledge)) out.knowledge = known.knowledge;
  }
  return out;
}

}  // namespace

std::vector<ForecastRow> forecast(const Model& model, const Spec& spec, const std::string& device,
                                  std::int64_t threads) {
  const Circumstances asked = asked_circumstances(spec.execution.determinism, device, threads);
  const Circumstances as_it_comes = default_circumstances(device, threads);
  std::vector<ForecastRow> rows;
  const auto add = [&](std::string layer, std::string_view pass, std::vector<std::string_view> operations) {
    PassForecast with_settings = forecast_pass(operations, asked);
    PassForecast without = forecast_pass(operations, as_it_comes);
    rows.push_back({std::move(layer), std::string(pass), std::move(operations), std::move(with_settings),
                    std::move(without)});
  };
  for (const Layer& layer : model.layers) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      add(layer.spec.name, name_of(direction), operations_of(layer, direction));
    }
  }
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    add("loss", name_of(direction), operations_of(spec.loss.type, direction));
  }
  add("optimizer", "update", operations_of(spec.optimizer.type));
  return rows;
}

}  // namespace repro

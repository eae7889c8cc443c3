#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repro/advice/known_causes.h"
#include "repro/model/model.h"

namespace repro {

// What the tables (known_causes.h) say about a network before anything is trained.

// One operation of a pass that is not known to be deterministic.
struct Doubt {
  std::string_view operation;
  Known known;
};

// A pass under one group's settings.
struct PassForecast {
  // Of the operations together: one that fails decides, then one that is not deterministic, then unknown.
  Knowledge knowledge = Knowledge::deterministic;
  std::vector<Doubt> doubts;
};

struct ForecastRow {
  std::string layer;  // its name; "loss", "optimizer"
  std::string pass;   // "forward", "backward", "update"
  std::vector<std::string_view> operations;
  PassForecast deterministic;  // the group of that name: the settings of the spec
  PassForecast default_group;  // LibTorch as it comes
};

// Layers in order, forward then backward; then the loss; then the optimiser. `device` as in Circumstances,
// threads >= 1.
std::vector<ForecastRow> forecast(const Model& model, const Spec& spec, const std::string& device,
                                  std::int64_t threads);

}  // namespace repro

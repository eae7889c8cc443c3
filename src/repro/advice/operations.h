#pragma once

#include <string_view>
#include <vector>

#include "repro/model/model.h"

namespace repro {

enum class Direction { forward, backward };
std::string_view name_of(Direction value);  // "forward", "backward"

// The operations of LibTorch that compute a layer, the loss or an update, as the engine
// (engine/libtorch/network.h) calls them or as their derivatives do, in that order; named as LibTorch's
// dispatcher does, without overloads. Never empty. Views and copies between them are left out.
std::vector<std::string_view> operations_of(const Layer& layer, Direction direction);
std::vector<std::string_view> operations_of(LossType loss, Direction direction);
std::vector<std::string_view> operations_of(OptimizerType optimizer);

}  // namespace repro

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repro/engine/libtorch/determinism.h"
#include "repro/engine/libtorch/device.h"
#include "repro/run/request.h"

namespace repro {

// Fixes the number of CPU threads of the process. Error{unavailable} if another number is in force
// afterwards.
void use_threads(std::int64_t threads);

// environment.json of a run: libraries as loaded, threads, device, and every determinism setting before,
// in force and after. JSON text, keys in a fixed order.
std::string run_environment(const RunRequest& request, const ResolvedDevice& device,
                            const std::vector<SettingValue>& before,
                            const std::vector<SettingValue>& in_force,
                            const std::vector<SettingValue>& after);

}  // namespace repro

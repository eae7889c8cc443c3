#pragma once

#include <string>

#include "repro/spec/spec.h"

namespace repro {

// Seeds the CPU generator and, for a CUDA device, that device's generator. Before every run, after the
// determinism guard, before the first tensor. Our own random numbers (weights, order, noise) do not use
// these generators; layers such as dropout do.
void seed_generators(const SeedSpec& seed, const std::string& device);

}  // namespace repro

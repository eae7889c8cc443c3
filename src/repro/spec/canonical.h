#pragma once

#include <string>

#include "repro/spec/spec.h"

namespace repro {

// What of a spec decides the weights, for hashes and locks: compact JSON with sorted keys and every
// default filled in, without `name`, `audit`, and the paths of data files, which count by their
// content (Dataset::content_hash). Equal for two specs exactly if these parts are equal.
std::string canonical_training_spec(const Spec& spec);

}  // namespace repro

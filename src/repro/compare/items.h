#pragma once

#include <vector>

#include "repro/compare/diff.h"
#include "repro/snapshot/safetensors.h"

namespace repro {

// The tensors of a file as one side of a comparison, unreadable ones with their reason: in registration
// order where our metadata gives one, else in the order of the header. Views point into `content`'s bytes.
std::vector<Item> items_of(const SafetensorsContent& content);

}  // namespace repro

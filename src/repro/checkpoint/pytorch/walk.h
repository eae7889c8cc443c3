#pragma once

#include <string>
#include <vector>

#include "repro/checkpoint/pytorch/source.h"
#include "repro/checkpoint/pytorch/tensors.h"

namespace repro {

struct WalkResult {
  std::uint64_t containers_with_attributes = 0;  // which were left out
};

// Appends the tensors and, if asked for, the leaves below a value, depth first, in the order of the pickle.
// Names are keys and indices joined by dots, behind `prefix`; a root that is no container is named "tensor"
// or "value". Deep nesting uses no stack. Error{input} for a value that contains itself, a global that is
// not on the list, names above 64 KiB, and values that are shared so often that there would be far more
// items than bytes of pickle.
WalkResult walk(const PickleSource& source, PickleNode root, const std::string& prefix, TensorReader& tensors,
                bool leaves, std::vector<Item>& items);

}  // namespace repro

#pragma once

#include "repro/spec/json_value.h"
#include "repro/spec/spec.h"

namespace repro {

// The spec as a JSON tree with every key that it has, in the order of the field lists; absent parts
// of the input and optional numbers are null.
JsonValue spec_tree(const Spec& spec);

// One layer: only the keys of its type.
JsonValue layer_tree(const LayerSpec& layer);

}  // namespace repro

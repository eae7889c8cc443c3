#pragma once

#include <optional>
#include <string>

#include "repro/checkpoint/pytorch/source.h"
#include "repro/snapshot/item.h"

namespace repro {

// The leaf of a value that is neither a tensor nor a container with elements: plain ones, sets (sorted),
// devices, sizes, layouts, dtypes, paths, complex numbers, bytes, versions. Nothing if it is none of them;
// Error{input} if it is one and malformed.
std::optional<Leaf> value_leaf(const PickleSource& source, PickleNode node, const std::string& path);

// "torch.sparse_coo": a layout as a call with its name, or as a global. "" for others.
std::string layout_text(const PickleSource& source, PickleNode node);

// The part of a name that a key of a mapping gives. Error{input} for keys that are no simple values.
std::string key_text(const PickleSource& source, PickleNode key, const std::string& path);

}  // namespace repro

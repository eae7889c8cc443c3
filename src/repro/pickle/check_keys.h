#pragma once

#include <string>

#include "repro/pickle/tree.h"

namespace repro {

// Error{input} if a dict of the tree has a key twice or a set a member twice, as Python sees it: 1, 1.0 and
// True are one key, NaN equals nothing, objects are equal to themselves only. Python's own pickles never
// have that; a reader that keeps the last one, as Python does, would hide the first.
void check_keys(const PickleTree& tree, const std::string& what);

}  // namespace repro

#pragma once

#include <string>

#include "repro/checkpoint/pytorch/source.h"

namespace repro {

// The value that a path of keys and indices, joined by dots, leads to; where keys contain dots themselves,
// the longest ones that lead to something are taken. no_node if there is none; then `known` has the keys
// where the longest part of the path that leads somewhere ends.
PickleNode find_subtree(const PickleSource& source, PickleNode root, const std::string& key,
                        std::vector<std::string>& known);

}  // namespace repro

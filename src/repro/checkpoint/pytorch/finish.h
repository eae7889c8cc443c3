#pragma once

#include <string>
#include <vector>

#include "repro/snapshot/item.h"

namespace repro {

// Error{input} if two items have the same name, as keys with dots in them can make them.
void check_names(const std::vector<Item>& items, const std::string& what);

// Sets alias_of of every tensor that has storage, place, shape, strides, element type and signs of an
// earlier one to the name of the first such. Empty tensors, and other views of the same bytes, are none.
void mark_aliases(std::vector<Item>& items);

}  // namespace repro

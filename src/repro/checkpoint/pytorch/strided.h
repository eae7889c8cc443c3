#pragma once

#include <string>

#include "repro/checkpoint/pytorch/source.h"
#include "repro/checkpoint/pytorch/storages.h"
#include "repro/snapshot/item.h"

namespace repro {

// An item without values: `dtype` and `shape` are what is known, `reason` why it is not compared.
Item unreadable_item(const std::string& path, std::string dtype, Dimensions shape, std::string reason);

// A tensor from (storage, offset, size, stride), which `given` begins with. `dtype` is PyTorch's name of
// the element type, "" for that of the storage. Error{input} if an element lies outside the storage; an
// element type that we have no reader for gives an unreadable item.
Item strided_item(const PickleSource& source, Storages& storages, std::span<const PickleNode> given,
                  std::string dtype, const std::string& path);

// Sets the signs that read flipped, from the dict {'conj': True, 'neg': True} that goes with a tensor.
void apply_metadata(const PickleSource& source, PickleNode metadata, Item& item);

}  // namespace repro

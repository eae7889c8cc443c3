#pragma once

#include <string>
#include <vector>

#include "repro/base/boxed.h"
#include "repro/base/shared_array.h"
#include "repro/snapshot/role.h"
#include "repro/snapshot/safetensors.h"
#include "repro/tensor/stored_tensor.h"

namespace repro {

// A value of a checkpoint that is no tensor: a step, a learning rate, a name. Two leaves are equal if both
// texts are; `value` reads back to the same bits, long ones end in the SHA-256 of the whole.
struct Leaf {
  std::string type;   // "int", "float", "str", "bool", "NoneType", "torch.dtype", "list" (empty), ...
  std::string value;  // as Python would print it; raw text, to be escaped by whoever shows it
  bool operator==(const Leaf&) const = default;
};

// One named thing of a checkpoint. Where a tensor cannot be read, `not_compared_reason` says why; then
// `tensor` has only a shape, and `foreign_dtype` is the element type's name in the file.
struct Item {
  SharedText name;
  StoredTensor tensor;
  Role role = Role::none;
  RareText not_compared_reason = {};
  RareText foreign_dtype = {};
  Boxed<Leaf> leaf = {};  // set: the item is no tensor
  // The first item that shares storage and layout with this one ("tied"); "" if there is none.
  RareText alias_of = {};
};

// The tensors of a file as one side of a comparison, unreadable ones with their reason: in registration
// order where our metadata gives one, else in the order of the header. Views point into the bytes that were
// parsed.
std::vector<Item> items_of(SafetensorsContent content);

}  // namespace repro

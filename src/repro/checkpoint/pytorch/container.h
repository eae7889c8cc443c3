#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repro/checkpoint/pytorch/source.h"

namespace repro {

// A value that is looked into: a mapping or a sequence, whatever Python class it has. Attributes beside the
// elements (OrderedDict._metadata) are left out.
struct Container {
  // Keys and values in turn, or values that are numbered from 0; views into the tree.
  struct Part {
    std::span<const PickleNode> elements;
    bool keyed = false;
  };
  std::vector<Part> parts;
  bool has_attributes = false;  // some were left out

  bool is_empty() const;
  bool is_mapping() const { return !parts.empty() && parts[0].keyed; }
};

// Nothing if the value is no container. Error{input} if it is one and malformed.
std::optional<Container> container_of(const PickleSource& source, PickleNode node, const std::string& path);

// Error{input} if something was done to the result of a call that a value of its kind does not have done to
// it, such as keys set on a list: it would be overlooked.
void check_changes(const PickleSource& source, PickleNode node, const std::string& path);

// A value that stands for another one: TorchScript's typed values, and its objects whose state is no dict.
// no_node if it does not.
PickleNode stands_for(const PickleSource& source, PickleNode node);

}  // namespace repro

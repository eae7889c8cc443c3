#pragma once

#include <string>
#include <vector>

#include "repro/checkpoint/pytorch/source.h"
#include "repro/checkpoint/pytorch/storages.h"
#include "repro/snapshot/item.h"

namespace repro {

// Turns what PyTorch's _rebuild functions are called with into items. What a tensor has beside its elements
// (a quantiser, the size of a sparse one) becomes leaves, or, where the format has none, small tensors.
class TensorReader {
 public:
  TensorReader(const PickleSource& source, Storages& storages, bool leaves)
      : source_(source), storages_(storages), leaves_(leaves) {}

  // True if the call or persistent id is a tensor of some kind; then `items` have grown. Error{input} if it
  // is malformed or reaches beyond its storage. One that is known and has no bytes to compare, or elements
  // that cannot be read, is an item with a reason.
  bool read(PickleNode node, const std::string& path, std::vector<Item>& items);
  bool has_quantised() const { return has_quantised_; }

 private:
  using Nodes = std::span<const PickleNode>;
  // What makes a tensor, and with which arguments, once wrappers are taken off.
  struct Rebuild {
    PickleNode node = no_node;      // a call or a persistent id
    PickleNode function = no_node;  // what makes the tensor
    TorchGlobal meaning = TorchGlobal::unknown;
    Nodes given;
    std::string converted_to;  // a dtype, if a wrapper names one
  };

  Rebuild unwrapped(PickleNode node, const std::string& path) const;
  Nodes counted(const Rebuild& rebuild, std::size_t least, std::size_t most, const std::string& path) const;
  void check_hooks(PickleNode hooks, const std::string& path) const;
  std::string dtype_name(PickleNode global, const std::string& path) const;

  bool read_rebuild(const Rebuild& rebuild, const std::string& path, std::vector<Item>& items);
  void read_quantised(Nodes given, const std::string& path, std::vector<Item>& items);
  void read_sparse(Nodes given, const std::string& path, std::vector<Item>& items);
  Item bare_storage(PickleNode node, const std::string& path);
  void read_part(PickleNode node, const std::string& path, std::vector<Item>& items);
  void add_value(PickleNode node, const std::string& path, std::vector<Item>& items) const;
  void add_leaf(const std::string& path, Leaf leaf, std::vector<Item>& items) const;

  const PickleSource& source_;
  Storages& storages_;
  bool leaves_;
  bool within_tensor_ = false;  // reading the parts of one
  bool has_quantised_ = false;  // some were read
};

}  // namespace repro

#include "repro/checkpoint/pytorch/tensors.h"

#include <array>

#include "repro/base/text.h"
#include "repro/checkpoint/pytorch/leaf.h"
#include "repro/checkpoint/pytorch/owned_storage.h"
#include "repro/checkpoint/pytorch/pickled_numpy.h"
#include "repro/checkpoint/pytorch/strided.h"
#include "repro/checkpoint/pytorch/values.h"

namespace repro {
namespace {

constexpr int max_wrappers = 8;

// A small tensor of values that are in the pickle itself.
template <class T>
Item small_tensor(const std::string& path, DType dtype, Shape shape, std::span<const T> values) {
  Item item;
  item.name = path;
  item.tensor.dtype = dtype;
  item.tensor.shape = std::move(shape);
  const ByteView bytes = bytes_of(values);
  item.tensor.storage = std::make_shared<OwnedStorage>(Bytes(bytes.begin(), bytes.end()));
  return item;
}

}  // namespace

TensorReader::Rebuild TensorReader::unwrapped(PickleNode node, const std::string& path) const {
  const PickleTree& tree = source_.tree;
  Rebuild rebuild;
  for (int level = 0; level < max_wrappers; ++level) {
    rebuild.node = node;
    if (tree.kind(node) != PickleKind::call) return rebuild;
    const PickleCall call = tree.call(node);
    rebuild.function = call.callable;
    rebuild.meaning = source_.meaning(node);
    rebuild.given = tree.elements(call.arguments);
    if (rebuild.meaning == TorchGlobal::tensor_of_type) {
      const Nodes given = source_.arguments(call, path, 4, 4);
      if (source_.meaning(given[1]) != TorchGlobal::type || tree.kind(given[1]) != PickleKind::global) {
        source_.fail_global(path, given[1]);
      }
      if (source_.meaning(given[0]) == TorchGlobal::unknown) source_.fail_global(path, given[0]);
      rebuild.function = given[0];
      rebuild.meaning = source_.meaning(given[0]);
      rebuild.given = source_.tuple(given[2], path, "the arguments");
    }
    if (rebuild.meaning == TorchGlobal::parameter) {
      const Nodes given = counted(rebuild, 2, 4, path);
      if (given.size() > 2) check_hooks(given[2], path);
      node = given[0];
    } else if (rebuild.meaning == TorchGlobal::device_tensor) {
      const Nodes given = counted(rebuild, 4, 4, path);
      rebuild.converted_to = dtype_name(given[1], path);
      node = given[0];
    } else {
      return rebuild;
    }
    if (tree.kind(node) != PickleKind::call) source_.fail(path, "a parameter that is no tensor found");
  }
  source_.fail(path, "a tensor within more than " + std::to_string(max_wrappers) + " wrappers found");
}

TensorReader::Nodes TensorReader::counted(const Rebuild& rebuild, std::size_t least, std::size_t most,
                                          const std::string& path) const {
  if (rebuild.given.size() < least || rebuild.given.size() > most) {
    source_.fail(path, "a tensor made of " +
                           plural(static_cast<std::int64_t>(rebuild.given.size()), "argument") +
                           " found, allowed are " + std::to_string(least) +
                           (most == least ? "" : " to " + std::to_string(most)));
  }
  return rebuild.given;
}

// PyTorch writes an empty OrderedDict; functions that hang on a tensor have no place in a file.
void TensorReader::check_hooks(PickleNode hooks, const std::string& path) const {
  const PickleTree& tree = source_.tree;
  if (tree.kind(hooks) == PickleKind::none) return;
  if (tree.kind(hooks) == PickleKind::dict && tree.elements(hooks).empty()) return;
  if (tree.kind(hooks) == PickleKind::call) {
    const PickleCall call = tree.call(hooks);
    const bool plain =
        source_.meaning(hooks) == TorchGlobal::mapping && tree.elements(call.arguments).empty();
    if (!plain) source_.fail_global(path, call.callable);
    if (call.pairs == no_node || tree.elements(call.pairs).empty()) return;
  }
  source_.fail(path, "backward hooks found, allowed are none");
}

std::string TensorReader::dtype_name(PickleNode global, const std::string& path) const {
  if (source_.tree.kind(global) != PickleKind::global) {
    source_.fail(path, "the element type is of type " + std::string(name_of(source_.tree.kind(global))) +
                           ", allowed is a global such as torch.float32");
  }
  if (source_.meaning(global) != TorchGlobal::dtype) source_.fail_global(path, global);
  return std::string(canonical_dtype(source_.tree.global(global).name));
}

bool TensorReader::read(PickleNode node, const std::string& path, std::vector<Item>& items) {
  if (source_.tree.kind(node) == PickleKind::persistent) {
    items.push_back(bare_storage(node, path));
    return true;
  }
  const Rebuild rebuild = unwrapped(node, path);
  const std::size_t before = items.size();
  if (!read_rebuild(rebuild, path, items)) return false;
  for (std::size_t i = before; i < items.size() && !rebuild.converted_to.empty(); ++i) {
    Item& item = items[i];
    if (item.leaf || !item.not_compared_reason.empty() || name_of(item.tensor.dtype) == rebuild.converted_to)
      continue;
    item = unreadable_item(item.name, rebuild.converted_to, item.tensor.shape,
                           "its elements are " + std::string(name_of(item.tensor.dtype)) +
                               " in the file and are converted when it is loaded");
  }
  return true;
}

bool TensorReader::read_rebuild(const Rebuild& rebuild, const std::string& path, std::vector<Item>& items) {
  switch (rebuild.meaning) {
    case TorchGlobal::tensor:
      items.push_back(strided_item(source_, storages_, counted(rebuild, 4, 4, path), "", path));
      return true;
    case TorchGlobal::tensor_v2: {
      const Nodes given = counted(rebuild, 6, 7, path);
      check_hooks(given[5], path);
      items.push_back(strided_item(source_, storages_, given, "", path));
      if (given.size() == 7) apply_metadata(source_, given[6], items.back());
      return true;
    }
    case TorchGlobal::tensor_v3: {
      const Nodes given = counted(rebuild, 7, 8, path);
      check_hooks(given[5], path);
      items.push_back(strided_item(source_, storages_, given, dtype_name(given[6], path), path));
      if (given.size() == 8) apply_metadata(source_, given[7], items.back());
      return true;
    }
    case TorchGlobal::quantised_tensor:
      read_quantised(counted(rebuild, 7, 7, path), path, items);
      return true;
    case TorchGlobal::sparse_tensor: read_sparse(counted(rebuild, 2, 2, path), path, items); return true;
    case TorchGlobal::nested_tensor: {
      const Nodes given = counted(rebuild, 4, 4, path);
      constexpr std::array<const char*, 4> parts = {".buffer", ".sizes", ".strides", ".offsets"};
      for (std::size_t i = 0; i < parts.size(); ++i) read_part(given[i], path + parts[i], items);
      return true;
    }
    case TorchGlobal::meta_tensor: {
      const Nodes given = counted(rebuild, 4, 4, path);
      items.push_back(unreadable_item(path, dtype_name(given[0], path),
                                      source_.numbers(given[1], path, "the shape"),
                                      "a tensor of the meta device has no values"));
      return true;
    }
    case TorchGlobal::unreadable_tensor:
      items.push_back(unreadable_item(
          path, "", {}, "tensors made by " + source_.global_text(rebuild.function) + " cannot be read"));
      return true;
    case TorchGlobal::numpy_array:
    case TorchGlobal::numpy_buffer:
      if (source_.meaning(rebuild.node) != rebuild.meaning) return false;
      items.push_back(numpy_array_item(source_, rebuild.node, path));
      return true;
    default: return false;
  }
}

// The integers that represent the elements are compared, and the quantiser beside them.
void TensorReader::read_quantised(Nodes given, const std::string& path, std::vector<Item>& items) {
  has_quantised_ = true;
  check_hooks(given[6], path);
  const Nodes quantiser = source_.tuple(given[4], path, "the quantiser");
  const StorageUse use = storages_.use(source_, given[0], path);
  if (use.type->quantised.empty()) {
    source_.fail(path, "a quantised tensor in a " + std::string(use.type->name) +
                           " found, allowed are QInt8Storage and the like");
  }
  items.push_back(strided_item(source_, storages_, given, "", path));
  add_leaf(path + ".dtype", {"torch.dtype", "torch." + std::string(use.type->quantised)}, items);
  if (quantiser.empty() || source_.meaning(quantiser[0]) != TorchGlobal::named_value ||
      source_.tree.kind(quantiser[0]) != PickleKind::global) {
    source_.fail(path, "a quantiser of an unknown scheme found");
  }
  const std::string scheme = source_.global_text(quantiser[0]);
  add_leaf(path + ".qscheme", {"torch.qscheme", scheme}, items);
  if (scheme == "torch.per_tensor_affine" && quantiser.size() == 3) {
    add_value(quantiser[1], path + ".scale", items);
    add_value(quantiser[2], path + ".zero_point", items);
  } else if (scheme.starts_with("torch.per_channel_affine") && quantiser.size() == 4) {
    read_part(quantiser[1], path + ".scales", items);
    read_part(quantiser[2], path + ".zero_points", items);
    add_value(quantiser[3], path + ".axis", items);
  } else {
    source_.fail(path, "a quantiser of scheme " + scheme + " with " +
                           plural(static_cast<std::int64_t>(quantiser.size()) - 1, "parameter") + " found");
  }
}

void TensorReader::read_sparse(Nodes given, const std::string& path, std::vector<Item>& items) {
  const std::string layout = layout_text(source_, given[0]);
  const Nodes parts = source_.tuple(given[1], path, "the parts of the sparse tensor");
  std::vector<const char*> names;
  if (layout == "torch.sparse_coo" && (parts.size() == 3 || parts.size() == 4)) {
    names = {".indices", ".values"};
  } else if ((layout == "torch.sparse_csr" || layout == "torch.sparse_bsr") && parts.size() == 4) {
    names = {".crow_indices", ".col_indices", ".values"};
  } else if ((layout == "torch.sparse_csc" || layout == "torch.sparse_bsc") && parts.size() == 4) {
    names = {".ccol_indices", ".row_indices", ".values"};
  } else {
    items.push_back(unreadable_item(path, "", {}, "a sparse tensor of an unknown layout cannot be read"));
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) read_part(parts[i], path + names[i], items);
  add_leaf(path + ".layout", {"torch.layout", layout}, items);
  add_value(parts[names.size()], path + ".size", items);
  if (parts.size() > names.size() + 1) add_value(parts[names.size() + 1], path + ".is_coalesced", items);
}

// A storage that is saved by itself: one dimension.
Item TensorReader::bare_storage(PickleNode node, const std::string& path) {
  const StorageUse use = storages_.use(source_, node, path);
  Item item;
  item.name = path;
  item.tensor.dtype = use.type->dtype.value_or(DType::uint8);
  const std::uint64_t size = size_of(item.tensor.dtype);
  item.tensor.shape = {static_cast<std::int64_t>(use.size_bytes / size)};
  item.tensor.storage = use.storage;
  item.tensor.byte_swapped = storages_.byte_swapped() && size > 1;
  return item;
}

// A tensor that is part of another one.
void TensorReader::read_part(PickleNode node, const std::string& path, std::vector<Item>& items) {
  if (within_tensor_) source_.fail(path, "a tensor within a tensor within a tensor found");
  within_tensor_ = true;
  if (source_.tree.kind(node) != PickleKind::call || !read(node, path, items)) {
    source_.fail(path, "a value of type " + std::string(name_of(source_.tree.kind(node))) +
                           " found, allowed is a tensor");
  }
  within_tensor_ = false;
}

void TensorReader::add_leaf(const std::string& path, Leaf leaf, std::vector<Item>& items) const {
  if (!leaves_) return;
  Item item;
  item.name = path;
  item.leaf = std::move(leaf);
  items.push_back(std::move(item));
}

// A number, a truth value or a size that belongs to a tensor.
void TensorReader::add_value(PickleNode node, const std::string& path, std::vector<Item>& items) const {
  const PickleTree& tree = source_.tree;
  if (leaves_ && tree.kind(node) != PickleKind::tuple) {
    auto leaf = value_leaf(source_, node, path);
    if (!leaf)
      source_.fail(
          path, "a value of type " + std::string(name_of(tree.kind(node))) + " found, allowed are numbers");
    return add_leaf(path, std::move(*leaf), items);
  }
  switch (tree.kind(node)) {
    case PickleKind::floating: {
      const double value = tree.floating(node);
      items.push_back(small_tensor(path, DType::float64, {}, std::span(&value, 1)));
      return;
    }
    case PickleKind::integer: {
      const std::int64_t value = tree.integer(node);
      items.push_back(small_tensor(path, DType::int64, {}, std::span(&value, 1)));
      return;
    }
    case PickleKind::boolean: {
      const std::uint8_t value = tree.boolean(node) ? 1 : 0;
      items.push_back(small_tensor(path, DType::boolean, {}, std::span(&value, 1)));
      return;
    }
    case PickleKind::none: return;
    default: break;
  }
  const Shape numbers = source_.numbers(node, path, "the size");
  if (leaves_)
    return add_leaf(path, {"torch.Size", "torch.Size([" + shape_text(numbers, ", ") + "])"}, items);
  items.push_back(small_tensor(path, DType::int64, {static_cast<std::int64_t>(numbers.size())},
                               std::span<const std::int64_t>(numbers)));
}

}  // namespace repro

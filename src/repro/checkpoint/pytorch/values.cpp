#include "repro/checkpoint/pytorch/values.h"

#include <algorithm>

#include "repro/base/text.h"
#include "repro/checkpoint/pytorch/leaf.h"
#include "repro/checkpoint/pytorch/pickled_numpy.h"

namespace repro {
namespace {

using Nodes = std::span<const PickleNode>;

Leaf set_leaf(const PickleSource& source, Nodes elements, bool frozen, const std::string& path) {
  const std::string type = frozen ? "frozenset" : "set";
  std::vector<std::string> texts;
  for (const PickleNode element : elements) {
    auto text = python_repr(source.tree, element);
    if (!text) source.fail(path, "a " + type + " of values that are not simple found");
    source.spend(text->size(), path);
    texts.push_back(std::move(*text));
  }
  std::sort(texts.begin(), texts.end());
  if (std::adjacent_find(texts.begin(), texts.end()) != texts.end()) {
    source.fail(path, "a " + type + " has a member twice, allowed is once");
  }
  if (texts.empty()) return make_leaf(type, type + "()");
  const std::string inside = "{" + join(texts, ", ") + "}";
  return make_leaf(type, frozen ? "frozenset(" + inside + ")" : inside);
}

// set(list), and members that were added.
Leaf called_set_leaf(const PickleSource& source, const PickleCall& call, bool frozen,
                     const std::string& path) {
  const Nodes given = source.arguments(call, path, 0, 1);
  std::vector<PickleNode> elements;
  if (!given.empty()) {
    const PickleKind kind = source.tree.kind(given[0]);
    if (kind != PickleKind::list && kind != PickleKind::tuple && kind != PickleKind::set &&
        kind != PickleKind::frozen_set) {
      source.fail(path, "a set of a value of type " + std::string(name_of(kind)) + " found, allowed is list");
    }
    const Nodes listed = source.tree.elements(given[0]);
    source.spend(listed.size_bytes(), path);
    elements.assign(listed.begin(), listed.end());
  }
  if (call.members != no_node) {
    const Nodes added = source.tree.elements(call.members);
    elements.insert(elements.end(), added.begin(), added.end());
  }
  return set_leaf(source, elements, frozen, path);
}

Leaf device_leaf(const PickleSource& source, const PickleCall& call, const std::string& path) {
  const Nodes given = source.arguments(call, path, 1, 2);
  std::string text(source.text(given[0], path, "the device"));
  if (given.size() == 2) text += ":" + std::to_string(source.integer(given[1], path, "the device's index"));
  return make_leaf("torch.device", std::move(text));
}

Leaf size_leaf(const PickleSource& source, const PickleCall& call, const std::string& path) {
  const Nodes given = source.arguments(call, path, 0, 1);
  const Shape numbers = given.empty() ? Shape{} : source.numbers(given[0], path, "the size");
  return make_leaf("torch.Size", "torch.Size([" + shape_text(numbers, ", ") + "])");
}

Leaf path_leaf(const PickleSource& source, const PickleCall& call, const std::string& path) {
  std::string text;
  for (const PickleNode part : source.tree.elements(call.arguments)) {
    if (!text.empty() && !text.ends_with('/')) text += '/';
    text += source.text(part, path, "a part of the path");
    source.spend(text.size(), path);
  }
  return make_leaf("pathlib." + std::string(source.tree.global(call.callable).name), std::move(text));
}

Leaf complex_leaf(const PickleSource& source, const PickleCall& call, const std::string& path) {
  const Nodes given = source.arguments(call, path, 2, 2);
  for (const PickleNode part : given) {
    if (source.tree.kind(part) != PickleKind::floating) {
      source.fail(path, "a complex number of values of type " + std::string(name_of(source.tree.kind(part))) +
                            " found, allowed is float");
    }
  }
  const auto text = [&](PickleNode part) { return python_text(source.tree.floating(part)); };
  return make_leaf("complex", python_text(text(given[0]), text(given[1])));
}

Leaf bytes_leaf(const PickleSource& source, PickleNode node, bool is_array, const std::string& path) {
  const auto bytes = pickled_bytes(source, node);
  if (!bytes) source.fail(path, "bytes in a form that is not known found");
  source.spend(bytes->size(), path);
  if (is_array) return make_leaf("bytearray", "bytearray(" + python_bytes(*bytes) + ")");
  return make_leaf("bytes", python_bytes(*bytes));
}

std::optional<Leaf> call_leaf(const PickleSource& source, PickleNode node, const std::string& path) {
  const PickleCall call = source.tree.call(node);
  switch (source.meaning(node)) {
    case TorchGlobal::set: return called_set_leaf(source, call, false, path);
    case TorchGlobal::frozen_set: return called_set_leaf(source, call, true, path);
    case TorchGlobal::complex: return complex_leaf(source, call, path);
    case TorchGlobal::byte_array: return bytes_leaf(source, node, true, path);
    case TorchGlobal::bytes:
    case TorchGlobal::encode: return bytes_leaf(source, node, false, path);
    case TorchGlobal::device: return device_leaf(source, call, path);
    case TorchGlobal::size: return size_leaf(source, call, path);
    case TorchGlobal::layout: return make_leaf("torch.layout", layout_text(source, node));
    case TorchGlobal::path: return path_leaf(source, call, path);
    case TorchGlobal::version:
      return make_leaf("str",
                       std::string(source.text(source.arguments(call, path, 1, 1)[0], path, "the version")));
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Leaf> value_leaf(const PickleSource& source, PickleNode node, const std::string& path) {
  switch (source.tree.kind(node)) {
    case PickleKind::set: return set_leaf(source, source.tree.elements(node), false, path);
    case PickleKind::frozen_set: return set_leaf(source, source.tree.elements(node), true, path);
    case PickleKind::call: return call_leaf(source, node, path);
    case PickleKind::global:
      switch (source.meaning(node)) {
        case TorchGlobal::dtype: return make_leaf("torch.dtype", source.global_text(node));
        case TorchGlobal::named_value: return make_leaf("torch", source.global_text(node));
        case TorchGlobal::unknown:
        case TorchGlobal::script_object: return std::nullopt;
        default: return make_leaf("type", source.global_text(node));
      }
    case PickleKind::text:
    case PickleKind::bytes:
    case PickleKind::byte_array:
    case PickleKind::big_integer: source.spend(source.tree.text(node).size(), path); break;
    default: break;
  }
  return plain_leaf(source.tree, node);
}

std::string layout_text(const PickleSource& source, PickleNode node) {
  const PickleTree& tree = source.tree;
  if (tree.kind(node) == PickleKind::global && source.meaning(node) == TorchGlobal::named_value) {
    return source.global_text(node);
  }
  if (tree.kind(node) != PickleKind::call || source.meaning(node) != TorchGlobal::layout) return "";
  const Nodes given = tree.elements(tree.call(node).arguments);
  return given.size() == 1 && tree.kind(given[0]) == PickleKind::text ? std::string(tree.text(given[0])) : "";
}

std::string key_text(const PickleSource& source, PickleNode key, const std::string& path) {
  if (source.tree.kind(key) == PickleKind::text) return std::string(source.tree.text(key));
  auto text = python_repr(source.tree, key);
  if (text) return *text;
  if (const auto leaf = value_leaf(source, key, path)) return leaf->value;
  if (source.tree.kind(key) == PickleKind::call || source.tree.kind(key) == PickleKind::global) {
    const PickleNode global =
        source.tree.kind(key) == PickleKind::call ? source.tree.call(key).callable : key;
    if (source.meaning(key) == TorchGlobal::unknown) source.fail_global(path, global);
  }
  source.fail(path, "a key of type " + std::string(name_of(source.tree.kind(key))) +
                        " found, allowed are simple values");
}

}  // namespace repro

#include "repro/checkpoint/pytorch/container.h"

#include <algorithm>

#include "repro/base/text.h"

namespace repro {
namespace {

using Part = Container::Part;

// What a call was given as its first argument: nothing, or a value of one of two kinds.
void add_argument(const PickleSource& source, PickleNode argument, PickleKind kind, PickleKind other,
                  const std::string& path, Container& out) {
  const PickleKind found = source.tree.kind(argument);
  if (found != kind && found != other) {
    source.fail(path, "a container made of a value of type " + std::string(name_of(found)) +
                          " found, allowed is " + std::string(name_of(kind)));
  }
  out.parts.push_back({source.tree.elements(argument), kind == PickleKind::dict});
}

// Every state_dict has the attribute _metadata, versions of its modules: nothing that a reader would miss.
bool has_telling_attributes(const PickleSource& source, const PickleCall& call) {
  const PickleTree& tree = source.tree;
  if (call.state == no_node) return false;
  if (tree.kind(call.state) != PickleKind::dict) return true;
  const auto elements = tree.elements(call.state);
  return elements.size() != 2 || tree.kind(elements[0]) != PickleKind::text ||
         tree.text(elements[0]) != "_metadata";
}

void add_pairs(const PickleSource& source, const PickleCall& call, Container& out) {
  if (call.pairs != no_node) out.parts.push_back({source.tree.elements(call.pairs), true});
  if (out.parts.empty()) out.parts.push_back({{}, true});
  out.has_attributes = has_telling_attributes(source, call);
}

// A state is a dict, or a pair of None or a dict, and None or a dict.
void add_state(const PickleSource& source, PickleNode state, const std::string& path, Container& out) {
  const PickleTree& tree = source.tree;
  std::vector<PickleNode> dicts = {state};
  if (tree.kind(state) == PickleKind::tuple && tree.elements(state).size() == 2) {
    dicts.assign(tree.elements(state).begin(), tree.elements(state).end());
  }
  for (const PickleNode dict : dicts) {
    if (tree.kind(dict) == PickleKind::none) continue;
    if (tree.kind(dict) != PickleKind::dict) {
      source.fail(path,
                  "attributes of type " + std::string(name_of(tree.kind(dict))) + " found, allowed is dict");
    }
    out.parts.push_back({tree.elements(dict), true});
  }
}

Container attributes_of(const PickleSource& source, const PickleCall& call, const std::string& path) {
  Container out;
  source.arguments(call, path, 0, 0);
  if (call.state != no_node) add_state(source, call.state, path, out);
  if (out.parts.empty()) out.parts.push_back({{}, true});
  return out;
}

Container mapping_of(const PickleSource& source, const PickleCall& call, const std::string& path) {
  Container out;
  const auto given = source.arguments(call, path, 0, 1);
  if (!given.empty()) add_argument(source, given[0], PickleKind::dict, PickleKind::dict, path, out);
  add_pairs(source, call, out);
  return out;
}

// The factory of a defaultdict is never called; it must be harmless all the same.
Container default_dict_of(const PickleSource& source, const PickleCall& call, const std::string& path) {
  Container out;
  const auto given = source.arguments(call, path, 0, 1);
  if (!given.empty() && source.tree.kind(given[0]) != PickleKind::none &&
      source.meaning(given[0]) == TorchGlobal::unknown) {
    source.fail_global(path, given[0]);
  }
  add_pairs(source, call, out);
  return out;
}

Container sequence_of(const PickleSource& source, const PickleCall& call, const std::string& path) {
  Container out;
  const auto given = source.arguments(call, path, 0, 2);
  if (!given.empty()) add_argument(source, given[0], PickleKind::list, PickleKind::tuple, path, out);
  if (call.items != no_node) out.parts.push_back({source.tree.elements(call.items), false});
  if (out.parts.empty()) out.parts.push_back({{}, false});
  out.has_attributes = has_telling_attributes(source, call);
  return out;
}

}  // namespace

bool Container::is_empty() const {
  return std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.elements.empty(); });
}

std::optional<Container> container_of(const PickleSource& source, PickleNode node, const std::string& path) {
  const PickleTree& tree = source.tree;
  switch (tree.kind(node)) {
    case PickleKind::list:
    case PickleKind::tuple: return Container{{{tree.elements(node), false}}};
    case PickleKind::dict: return Container{{{tree.elements(node), true}}};
    case PickleKind::call: break;
    default: return std::nullopt;
  }
  const PickleCall call = tree.call(node);
  switch (source.meaning(node)) {
    case TorchGlobal::mapping: return mapping_of(source, call, path);
    case TorchGlobal::default_dict: return default_dict_of(source, call, path);
    case TorchGlobal::sequence: return sequence_of(source, call, path);
    case TorchGlobal::attributes:
    case TorchGlobal::script_object: return attributes_of(source, call, path);
    default: return std::nullopt;
  }
}

void check_changes(const PickleSource& source, PickleNode node, const std::string& path) {
  if (source.tree.kind(node) != PickleKind::call) return;
  const PickleCall call = source.tree.call(node);
  bool state = false, items = false, pairs = false, members = false;  // what is allowed
  switch (source.meaning(node)) {
    case TorchGlobal::unknown: return;  // refused for that
    case TorchGlobal::mapping:
    case TorchGlobal::default_dict: state = pairs = true; break;
    case TorchGlobal::sequence: state = items = true; break;
    case TorchGlobal::set:
    case TorchGlobal::frozen_set: members = true; break;
    case TorchGlobal::attributes:
    case TorchGlobal::script_object:
    case TorchGlobal::numpy_array:
    case TorchGlobal::numpy_dtype: state = true; break;
    default: break;
  }
  const auto refuse_if = [&](bool allowed, PickleNode part, const char* what) {
    if (!allowed && part != no_node) {
      source.fail(path, std::string(what) + " of a value made by '" +
                            displayable(source.global_text(call.callable)) + "' found, allowed are none");
    }
  };
  refuse_if(state, call.state, "a state");
  refuse_if(items, call.items, "appended items");
  refuse_if(pairs, call.pairs, "keys");
  refuse_if(members, call.members, "added members");
}

PickleNode stands_for(const PickleSource& source, PickleNode node) {
  const PickleTree& tree = source.tree;
  if (tree.kind(node) != PickleKind::call) return no_node;
  const PickleCall call = tree.call(node);
  const auto given = tree.elements(call.arguments);
  switch (source.meaning(node)) {
    case TorchGlobal::typed_value: return given.empty() ? no_node : given[0];
    case TorchGlobal::script_object:
      return call.state == no_node || tree.kind(call.state) == PickleKind::dict ? no_node : call.state;
    default: return no_node;
  }
}

}  // namespace repro

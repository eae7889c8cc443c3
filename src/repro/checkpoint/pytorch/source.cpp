#include "repro/checkpoint/pytorch/source.h"

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"

namespace repro {
namespace {

constexpr std::size_t max_dimensions = 64;  // PyTorch's own limit
constexpr std::size_t max_shown = 200;      // bytes of a name

}  // namespace

PickleSource::PickleSource(const PickleTree& values, std::string what)
    : tree(values),
      what_(std::move(what)),
      allowance_((std::uint64_t{64} << 20) + 64 * std::uint64_t{values.pickle_bytes()}) {}

void PickleSource::spend(std::uint64_t bytes, const std::string& path) const {
  spent_ += bytes;
  if (spent_ > allowance_) {
    fail(path, "the pickle of " + thousands(std::uint64_t{tree.pickle_bytes()}) +
                   " bytes unfolds into more than " + thousands(allowance_) + " bytes of names and values");
  }
}

void PickleSource::fail(const std::string& path, const std::string& reason, std::string hint) const {
  const std::string place = path.empty() ? "the root" : "'" + displayable(path.substr(0, max_shown)) + "'";
  refuse(what_, place + ": " + reason, std::move(hint));
}

void PickleSource::fail_global(const std::string& path, PickleNode global) const {
  fail(path,
       "the global '" + displayable(global_text(global).substr(0, max_shown)) +
           "' found, which is not on the list of allowed ones; nothing of it was executed",
       "save plain tensors (a state_dict), or choose another part with --key");
}

TorchGlobal PickleSource::meaning(PickleNode node) const {
  if (tree.kind(node) == PickleKind::call) node = tree.call(node).callable;
  if (tree.kind(node) != PickleKind::global) return TorchGlobal::unknown;
  const auto [known, is_new] = meanings_.emplace(node, TorchGlobal::unknown);
  if (is_new) {
    const PickleGlobal global = tree.global(node);
    known->second = torch_global(global.module, global.name);
  }
  return known->second;
}

std::string PickleSource::global_text(PickleNode global) const {
  if (tree.kind(global) != PickleKind::global) return "the result of a call";
  const PickleGlobal parts = tree.global(global);
  return std::string(parts.module) + "." + std::string(parts.name);
}

std::int64_t PickleSource::integer(PickleNode node, const std::string& path, const char* role) const {
  if (tree.kind(node) != PickleKind::integer) {
    fail(path,
         std::string(role) + " is of type " + std::string(name_of(tree.kind(node))) + ", allowed is int");
  }
  return tree.integer(node);
}

std::string_view PickleSource::text(PickleNode node, const std::string& path, const char* role) const {
  if (tree.kind(node) != PickleKind::text) {
    fail(path,
         std::string(role) + " is of type " + std::string(name_of(tree.kind(node))) + ", allowed is str");
  }
  return tree.text(node);
}

std::span<const PickleNode> PickleSource::tuple(PickleNode node, const std::string& path,
                                                const char* role) const {
  if (tree.kind(node) == PickleKind::call && meaning(node) == TorchGlobal::size) {
    const auto given = tree.elements(tree.call(node).arguments);
    if (given.size() == 1) node = given[0];
  }
  const PickleKind kind = tree.kind(node);
  if (kind != PickleKind::tuple && kind != PickleKind::list) {
    fail(path, std::string(role) + " is of type " + std::string(name_of(kind)) + ", allowed is tuple");
  }
  return tree.elements(node);
}

Shape PickleSource::numbers(PickleNode node, const std::string& path, const char* role) const {
  const auto elements = tuple(node, path, role);
  if (elements.size() > max_dimensions) {
    fail(path, std::string(role) + " has " + thousands(std::uint64_t{elements.size()}) +
                   " dimensions, allowed are " + std::to_string(max_dimensions));
  }
  Shape numbers;
  numbers.reserve(elements.size());
  for (const PickleNode element : elements) {
    numbers.push_back(integer(element, path, role));
    if (numbers.back() < 0) {
      fail(path,
           std::string(role) + " has the number " + thousands(numbers.back()) + ", allowed are 0 and more");
    }
  }
  return numbers;
}

std::span<const PickleNode> PickleSource::arguments(const PickleCall& call, const std::string& path,
                                                    std::size_t least, std::size_t most) const {
  const auto given = tree.elements(call.arguments);
  if (given.size() < least || given.size() > most || call.keywords != no_node) {
    fail(path, "'" + displayable(global_text(call.callable)) + "' with " +
                   plural(static_cast<std::int64_t>(given.size()), "argument") +
                   (call.keywords == no_node ? "" : " and keywords") + " found, allowed are " +
                   std::to_string(least) + (most == least ? "" : " to " + std::to_string(most)));
  }
  return given;
}

}  // namespace repro

#include "repro/pickle/tree.h"

#include <algorithm>
#include <array>
#include <bit>

namespace repro {
namespace {

// Nodes that exist in every tree: None, False, True, (), and these integers from 0 on.
constexpr PickleNode empty_tuple = 3;
constexpr PickleNode first_small_integer = 4;
constexpr std::int64_t small_integers = 1024;

std::uint64_t pair_of(std::uint64_t low, std::uint64_t high) { return low | (high << 32); }
std::uint32_t low_of(std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }
std::uint32_t high_of(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }

bool can_grow(PickleKind kind) {
  return kind == PickleKind::list || kind == PickleKind::dict || kind == PickleKind::set;
}

}  // namespace

std::string_view name_of(PickleKind kind) {
  constexpr std::array<std::string_view, 16> names = {
      "NoneType", "bool",  "int",  "int", "float",     "str",    "bytes",  "bytearray",
      "list",     "tuple", "dict", "set", "frozenset", "global", "object", "persistent id"};
  return names[static_cast<std::size_t>(kind)];
}

PickleTree::PickleTree(ByteView pickle) : pickle_(pickle) {
  // Room that is only touched as it is filled, so that growing copies nothing: PyTorch writes some 14
  // bytes of pickle for each node and 8 for each link.
  const std::size_t base = first_small_integer + static_cast<std::size_t>(small_integers);
  kinds_.reserve(base + pickle.size() / 10);
  payloads_.reserve(base + pickle.size() / 10);
  links_.reserve(pickle.size() / 6);
  add(PickleKind::none, 0);
  add(PickleKind::boolean, 0);
  add(PickleKind::boolean, 1);
  add(PickleKind::tuple, 0);
  for (std::int64_t i = 0; i < small_integers; ++i) {
    add(PickleKind::integer, static_cast<std::uint64_t>(i));
  }
}

PickleNode PickleTree::add(PickleKind kind, std::uint64_t payload) {
  kinds_.push_back(static_cast<std::uint8_t>(kind));
  payloads_.push_back(payload);
  return static_cast<PickleNode>(kinds_.size() - 1);
}

std::string_view PickleTree::text(PickleNode node) const {
  const std::uint32_t first = low_of(payloads_[node]), count = high_of(payloads_[node]);
  if (first >= pickle_.size()) return std::string_view(owned_).substr(first - pickle_.size(), count);
  return as_text(pickle_).substr(first, count);
}

std::span<const PickleNode> PickleTree::elements(PickleNode node) const {
  const std::uint64_t payload = payloads_[node];
  if (!can_grow(kind(node))) return std::span(links_).subspan(low_of(payload), high_of(payload));
  const Range& range = ranges_[payload];
  return std::span(links_).subspan(range.first, range.count);
}

PickleGlobal PickleTree::global(PickleNode node) const {
  return {text(low_of(payloads_[node])), text(high_of(payloads_[node]))};
}

PickleCall PickleTree::call(PickleNode node) const {
  PickleCall call;
  if (const auto extra = extras_.find(node); extra != extras_.end()) call = extra->second;
  call.callable = low_of(payloads_[node]);
  call.arguments = high_of(payloads_[node]);
  return call;
}

PickleNode PickleTree::add_integer(std::int64_t value) {
  if (value >= 0 && value < small_integers) return first_small_integer + static_cast<PickleNode>(value);
  return add(PickleKind::integer, static_cast<std::uint64_t>(value));
}
PickleNode PickleTree::add_floating(double value) {
  return add(PickleKind::floating, std::bit_cast<std::uint64_t>(value));
}
PickleNode PickleTree::add_view(PickleKind kind, std::string_view text) {
  const auto first = static_cast<std::uint64_t>(text.data() - as_text(pickle_).data());
  return add(kind, text.empty() ? 0 : pair_of(first, text.size()));
}
PickleNode PickleTree::add_owned(PickleKind kind, std::string_view text) {
  const std::uint64_t first = pickle_.size() + owned_.size();
  owned_ += text;
  return add(kind, pair_of(first, text.size()));
}

PickleNode PickleTree::add_container(PickleKind kind, std::span<const PickleNode> elements) {
  if (kind == PickleKind::tuple && elements.empty()) return empty_tuple;
  const auto first = static_cast<std::uint32_t>(links_.size());
  const auto count = static_cast<std::uint32_t>(elements.size());
  links_.insert(links_.end(), elements.begin(), elements.end());
  if (!can_grow(kind)) return add(kind, pair_of(first, count));
  ranges_.push_back({first, count, count});
  return add(kind, ranges_.size() - 1);
}

PickleNode PickleTree::add_global(PickleNode module, PickleNode name) {
  return add(PickleKind::global, pair_of(module, name));
}
PickleNode PickleTree::add_call(const PickleCall& call) {
  const PickleNode node = add(PickleKind::call, pair_of(call.callable, call.arguments));
  if (call.keywords != no_node) extras_[node].keywords = call.keywords;
  return node;
}
PickleNode PickleTree::add_persistent(PickleNode id) { return add(PickleKind::persistent, id); }

void PickleTree::extend(PickleNode container, std::span<const PickleNode> more) {
  Range& range = ranges_[payloads_[container]];
  const auto count = range.count + static_cast<std::uint32_t>(more.size());
  if (count > range.capacity) {
    if (range.first + range.capacity != links_.size()) {
      // Moved to the end, with room to double: what is moved in all stays below what was ever appended.
      const auto first = static_cast<std::uint32_t>(links_.size());
      const std::uint32_t capacity = std::max(count, range.count * 2);
      links_.resize(links_.size() + capacity, no_node);
      std::copy_n(links_.begin() + range.first, range.count, links_.begin() + first);
      range.first = first;
      range.capacity = capacity;
    } else {
      links_.resize(range.first + std::size_t{count}, no_node);
      range.capacity = count;
    }
  }
  std::copy(more.begin(), more.end(), links_.begin() + range.first + range.count);
  range.count = count;
}

PickleNode PickleTree::part_of_call(PickleNode call, PickleNode PickleCall::*part, PickleKind kind) {
  PickleCall& extra = extras_[call];
  if (extra.*part == no_node) extra.*part = add_container(kind, {});
  return extra.*part;
}

}  // namespace repro

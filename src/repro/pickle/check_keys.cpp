#include "repro/pickle/check_keys.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <optional>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

// Tuples within tuples that a key may consist of.
constexpr int max_depth = 16;

class KeyCheck {
 public:
  KeyCheck(const PickleTree& tree, const std::string& what)
      // Many dicts may share long keys that are almost equal; a limit keeps the work proportional.
      : tree_(tree), what_(what), work_left_((std::uint64_t{64} << 20) + 64 * tree.pickle_bytes()) {}

  void check(PickleNode node);

 private:
  // A total order in which equal keys are neighbours.
  std::strong_ordering order(PickleNode a, PickleNode b, int depth);
  std::strong_ordering order_tuples(PickleNode a, PickleNode b, int depth);
  void spend(std::uint64_t steps);
  // True if two of the keys are equal; one of them is then `repeated_`.
  bool keys_repeat();
  bool texts_repeat();

  const PickleTree& tree_;
  const std::string& what_;
  std::uint64_t work_left_;
  std::vector<PickleNode> keys_;  // of the container at hand
  std::vector<std::pair<std::string_view, PickleNode>> texts_;
  PickleNode repeated_ = no_node;
};

bool is_number(PickleKind kind) {
  return kind == PickleKind::boolean || kind == PickleKind::integer || kind == PickleKind::floating;
}

// The value as an integer if it is one.
std::optional<std::int64_t> as_integer(const PickleTree& tree, PickleNode node) {
  switch (tree.kind(node)) {
    case PickleKind::boolean: return tree.boolean(node) ? 1 : 0;
    case PickleKind::integer: return tree.integer(node);
    default: break;
  }
  const double value = tree.floating(node);
  const bool fits = value >= -0x1p63 && value < 0x1p63 && std::trunc(value) == value;
  return fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

std::strong_ordering order_numbers(const PickleTree& tree, PickleNode a, PickleNode b) {
  const auto left = as_integer(tree, a), right = as_integer(tree, b);
  if (left.has_value() != right.has_value()) return left.has_value() <=> right.has_value();
  if (left) return *left <=> *right;
  const auto bits = [&](PickleNode node) { return std::bit_cast<std::uint64_t>(tree.floating(node)); };
  const bool left_nan = std::isnan(tree.floating(a)), right_nan = std::isnan(tree.floating(b));
  if (left_nan != right_nan) return left_nan <=> right_nan;
  return left_nan ? a <=> b : bits(a) <=> bits(b);
}

void KeyCheck::spend(std::uint64_t steps) {
  if (steps > work_left_) {
    throw Error(ErrorKind::input, what_ +
                                      ": its dicts share so many long keys that comparing them takes more "
                                      "than 64 steps for each of its " +
                                      thousands(std::uint64_t{tree_.pickle_bytes()}) + " bytes");
  }
  work_left_ -= steps;
}

std::strong_ordering KeyCheck::order_tuples(PickleNode a, PickleNode b, int depth) {
  if (depth == max_depth) {
    throw Error(ErrorKind::input, what_ + ": a key of tuples within tuples, more than the " +
                                      std::to_string(max_depth) + " levels that are allowed");
  }
  const auto left = tree_.elements(a), right = tree_.elements(b);
  if (left.size() != right.size()) return left.size() <=> right.size();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (const auto result = order(left[i], right[i], depth + 1); result != 0) return result;
  }
  return std::strong_ordering::equal;
}

std::strong_ordering KeyCheck::order(PickleNode a, PickleNode b, int depth) {
  spend(1);
  if (a == b) return std::strong_ordering::equal;
  const PickleKind kind = tree_.kind(a), other = tree_.kind(b);
  if (is_number(kind) && is_number(other)) return order_numbers(tree_, a, b);
  if (kind != other) return kind <=> other;
  switch (kind) {
    case PickleKind::text:
    case PickleKind::bytes:
    case PickleKind::big_integer: {
      const std::string_view left = tree_.text(a), right = tree_.text(b);
      spend(std::min(left.size(), right.size()));
      return left <=> right;
    }
    case PickleKind::tuple: return order_tuples(a, b, depth);
    case PickleKind::global: {
      const PickleGlobal left = tree_.global(a), right = tree_.global(b);
      spend(left.module.size() + left.name.size());
      if (left.module != right.module) return left.module <=> right.module;
      return left.name <=> right.name;
    }
    default: return a <=> b;
  }
}

std::string key_text(const PickleTree& tree, PickleNode key) {
  switch (tree.kind(key)) {
    case PickleKind::boolean: return tree.boolean(key) ? "True" : "False";
    case PickleKind::integer: return std::to_string(tree.integer(key));
    case PickleKind::text: return "'" + displayable(tree.text(key).substr(0, 100)) + "'";
    default: return "of type " + std::string(name_of(tree.kind(key)));
  }
}

void KeyCheck::check(PickleNode node) {
  const PickleKind kind = tree_.kind(node);
  if (kind != PickleKind::dict && kind != PickleKind::set && kind != PickleKind::frozen_set) return;
  const auto elements = tree_.elements(node);
  const std::size_t step = kind == PickleKind::dict ? 2 : 1;
  if (elements.size() <= step) return;
  keys_.clear();
  for (std::size_t i = 0; i < elements.size(); i += step) keys_.push_back(elements[i]);
  const auto is_text = [&](PickleNode key) { return tree_.kind(key) == PickleKind::text; };
  const bool twice = std::all_of(keys_.begin(), keys_.end(), is_text) ? texts_repeat() : keys_repeat();
  if (twice) {
    throw Error(ErrorKind::input, what_ + ": a " + std::string(name_of(kind)) + " has the key " +
                                      key_text(tree_, repeated_) + " twice, allowed is once");
  }
}

bool KeyCheck::keys_repeat() {
  std::sort(keys_.begin(), keys_.end(),
            [&](PickleNode a, PickleNode b) { return order(a, b, 0) == std::strong_ordering::less; });
  const auto twice = std::adjacent_find(keys_.begin(), keys_.end(),
                                        [&](PickleNode a, PickleNode b) { return order(a, b, 0) == 0; });
  if (twice != keys_.end()) repeated_ = *twice;
  return twice != keys_.end();
}

// The same for what nearly all keys are, much faster.
bool KeyCheck::texts_repeat() {
  texts_.clear();
  for (const PickleNode key : keys_) texts_.emplace_back(tree_.text(key), key);
  std::sort(texts_.begin(), texts_.end(), [&](const auto& a, const auto& b) {
    spend(1 + std::min(a.first.size(), b.first.size()));
    return a.first < b.first;
  });
  const auto twice = std::adjacent_find(texts_.begin(), texts_.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != texts_.end()) repeated_ = twice->second;
  return twice != texts_.end();
}

}  // namespace

void check_keys(const PickleTree& tree, const std::string& what) {
  KeyCheck check(tree, what);
  for (std::size_t node = 0; node < tree.size(); ++node) check.check(static_cast<PickleNode>(node));
}

}  // namespace repro

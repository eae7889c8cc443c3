#include "repro/checkpoint/pytorch/subtree.h"

#include <algorithm>
#include <set>

#include "repro/checkpoint/pytorch/container.h"
#include "repro/checkpoint/pytorch/leaf.h"

namespace repro {
namespace {

constexpr std::size_t most_known = 1000;

// A value, and how much of the path led to it.
struct Place {
  PickleNode node;
  std::size_t used;
};

// The key as part of a path; nothing for keys that cannot be one.
std::optional<std::string> part_of_path(const PickleTree& tree, PickleNode key) {
  if (tree.kind(key) == PickleKind::text) return std::string(tree.text(key));
  return python_repr(tree, key);
}

// Calls visit(key, value) for each element of a container.
template <class Visit>
void for_each(const PickleSource& source, const Container& container, const Visit& visit) {
  std::int64_t index = 0;
  for (const Container::Part& part : container.parts) {
    for (std::size_t i = 0; i < part.elements.size(); ++i) {
      if (!part.keyed) {
        visit(std::to_string(index++), part.elements[i]);
      } else {
        const auto key = part_of_path(source.tree, part.elements[i]);
        ++i;
        if (key) visit(*key, part.elements[i]);
      }
    }
  }
}

// A container that the value is or stands for. Malformed ones are found out when they are read.
std::optional<Container> looked_into(const PickleSource& source, PickleNode node, const std::string& path) {
  for (int steps = 0; steps < 1000; ++steps) {
    const PickleNode next = stands_for(source, node);
    if (next == no_node) return container_of(source, node, path);
    node = next;
  }
  return std::nullopt;
}

}  // namespace

PickleNode find_subtree(const PickleSource& source, PickleNode root, const std::string& key,
                        std::vector<std::string>& known) {
  std::vector<Place> places = {{root, 0}};  // the last one is looked at first
  std::set<std::pair<PickleNode, std::size_t>> seen;
  std::size_t furthest = 0;
  while (!places.empty()) {
    const Place place = places.back();
    places.pop_back();
    if (!seen.insert({place.node, place.used}).second) continue;
    const auto container = looked_into(source, place.node, key.substr(0, place.used));
    if (!container) continue;
    if (place.used > furthest || known.empty()) {
      known.clear();
      furthest = place.used;
      const std::string start = key.substr(0, place.used);
      for_each(source, *container, [&](const std::string& part, PickleNode) {
        if (known.size() < most_known) known.push_back(start + part);
      });
    }
    std::vector<Place> next;
    PickleNode found = no_node;
    for_each(source, *container, [&](const std::string& part, PickleNode value) {
      if (key.compare(place.used, part.size(), part) != 0) return;
      const std::size_t end = place.used + part.size();
      if (end == key.size()) {
        found = value;
      } else if (key[end] == '.') {
        next.push_back({value, end + 1});
      }
    });
    // The whole rest as one key is the longest of all.
    if (found != no_node) return found;
    std::stable_sort(next.begin(), next.end(),
                     [](const Place& a, const Place& b) { return a.used < b.used; });
    places.insert(places.end(), next.begin(), next.end());
  }
  return no_node;
}

}  // namespace repro

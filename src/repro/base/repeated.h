#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace repro {

// A name that occurs more than once among `items`, the first one in the order of their bytes; nothing if all
// differ. By sorting views: a set would be a second copy of all names.
template <class Items, class NameOf>
std::optional<std::string_view> repeated_name(const Items& items, NameOf name_of) {
  std::vector<std::string_view> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(std::invoke(name_of, item));
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? std::nullopt : std::optional(*twice);
}

}  // namespace repro

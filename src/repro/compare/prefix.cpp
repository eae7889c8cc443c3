#include "repro/compare/prefix.h"

#include <map>
#include <string_view>
#include <unordered_set>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

using Names = std::unordered_set<std::string_view>;

Names names_of(const std::vector<Item>& items) {
  Names names;
  names.reserve(items.size());
  for (const Item& item : items) names.insert(item.name);
  return names;
}

// Names of `items` that `others` does not have.
std::vector<std::string_view> unmatched(const std::vector<Item>& items, const Names& others) {
  std::vector<std::string_view> names;
  for (const Item& item : items) {
    if (others.count(item.name) == 0) names.push_back(item.name);
  }
  return names;
}

// Counts, for every prefix that ends in a dot, how many of `names` are in `others` without it.
PrefixHint best_prefix(const std::vector<std::string_view>& names,
                       const std::vector<std::string_view>& others, bool on_reference) {
  const Names wanted(others.begin(), others.end());
  std::map<std::string_view, std::uint64_t> matches;
  for (const std::string_view name : names) {
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
      if (wanted.count(name.substr(dot + 1)) > 0) ++matches[name.substr(0, dot + 1)];
    }
  }
  PrefixHint best;
  best.on_reference = on_reference;
  for (const auto& [prefix, count] : matches) {
    const bool better = count > best.matches || (count == best.matches && prefix.size() < best.prefix.size());
    if (!better) continue;
    best.prefix = prefix;
    best.matches = count;
  }
  return best;
}

}  // namespace

PrefixHint find_prefix(const std::vector<Item>& reference, const std::vector<Item>& candidate) {
  const auto only_reference = unmatched(reference, names_of(candidate));
  const auto only_candidate = unmatched(candidate, names_of(reference));
  const PrefixHint left = best_prefix(only_reference, only_candidate, true);
  const PrefixHint right = best_prefix(only_candidate, only_reference, false);
  return left.matches > right.matches ? left : right;
}

void strip_prefix(std::vector<Item>& items, const std::string& prefix, const std::string& side) {
  const auto stripped = [&](std::string name) {
    if (prefix.empty() || !name.starts_with(prefix)) return name;
    if (name.size() == prefix.size()) {
      throw Error(ErrorKind::request, "--strip-prefix: without '" + displayable(prefix) + "' the name '" +
                                          displayable(name) + "' in " + displayable(side) +
                                          " would be empty");
    }
    return name.substr(prefix.size());
  };
  for (Item& item : items) {
    item.name = stripped(item.name);
    item.alias_of = stripped(item.alias_of);
  }
  Names names;
  for (const Item& item : items) {
    if (!names.insert(item.name).second) {
      throw Error(ErrorKind::request, "--strip-prefix: " + displayable(side) + " has both '" +
                                          displayable(prefix + item.name.text()) + "' and '" +
                                          displayable(item.name) + "', which would become one name");
    }
  }
}

}  // namespace repro

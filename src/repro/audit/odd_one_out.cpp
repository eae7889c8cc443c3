#include "repro/audit/odd_one_out.h"

#include <algorithm>
#include <map>

#include "repro/base/text.h"
#include "repro/snapshot/fingerprint.h"

namespace repro {
namespace {

// Of everything that counts, whatever the order of its names.
Fingerprint fingerprint_of(const OpenedSide& side, const Filter& filter, unsigned threads) {
  std::vector<NamedFingerprint> members;
  for (const Item& item : side.items) {
    if (!filter.admits(item.name, item.role)) continue;
    if (item.leaf) {
      members.push_back({item.name.text() + '\0' + item.leaf->type + '\0' + item.leaf->value, 0});
      continue;
    }
    const bool readable = item.not_compared_reason.empty();
    members.push_back({item.name, readable ? fingerprint(item.tensor, threads) : 0});
    if (item.tensor.storage) item.tensor.storage->release();
  }
  std::ranges::sort(members, {}, &NamedFingerprint::name);
  return group_fingerprint(members);
}

}  // namespace

std::string odd_one_out(const std::vector<std::shared_ptr<OpenedSide>>& sides, const Filter& filter,
                        unsigned threads) {
  std::map<Fingerprint, std::vector<std::string>> classes;
  for (const auto& side : sides) classes[fingerprint_of(*side, filter, threads)].push_back(side->name);
  const auto largest =
      std::ranges::max_element(classes, {}, [](const auto& entry) { return entry.second.size(); });
  const std::size_t majority = largest->second.size();
  if (majority * 2 <= sides.size()) {
    return plural(static_cast<std::int64_t>(classes.size()), "different result") + " among " +
           plural(static_cast<std::int64_t>(sides.size()), "file") + ", none in a majority";
  }
  std::vector<std::string> odd;
  for (const auto& [value, names] : classes) {
    if (value != largest->first) odd.insert(odd.end(), names.begin(), names.end());
  }
  return displayable(join(odd, ", ")) +
         (odd.size() == 1 ? " is the odd one out: the other " : " differ from the majority: the other ") +
         plural(static_cast<std::int64_t>(majority), "file") + " are equal";
}

}  // namespace repro

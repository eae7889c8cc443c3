#pragma once

#include <string>
#include <vector>

#include "repro/snapshot/item.h"

namespace repro {

// Prefixes that wrappers put before names: "module." (data parallel), "_orig_mod." (compiled), "model.".

// The prefix, ending in a dot, that one side's unmatched names would have to lose to match unmatched names
// of the other side; where several would do, the one with the most matches, then the shortest. "" if none
// makes a name match, or if names of both sides match already. Names are compared exactly.
struct PrefixHint {
  std::string prefix;
  bool on_reference = false;  // the reference's names have it, else the candidate's
  std::uint64_t matches = 0;  // names that match without it and do not with it
};
PrefixHint find_prefix(const std::vector<Item>& reference, const std::vector<Item>& candidate);

// Removes `prefix` from every name that begins with it (aliases too). Error{request} naming both if two
// names become equal, or if a name would be empty.
void strip_prefix(std::vector<Item>& items, const std::string& prefix, const std::string& side);

}  // namespace repro

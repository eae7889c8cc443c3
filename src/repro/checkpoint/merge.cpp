#include "repro/checkpoint/merge.h"

#include <iterator>

#include "repro/base/text.h"

namespace repro {

void merge_into(Checkpoint& whole, Checkpoint part, const std::string& name_prefix, const std::string& file) {
  const std::string shown = displayable(file) + ": ";
  for (Item& item : part.items) {
    if (!name_prefix.empty()) item.name = name_prefix + item.name.text();
    if (!item.alias_of.empty()) item.alias_of = name_prefix + item.alias_of.text();
  }
  whole.items.insert(whole.items.end(), std::make_move_iterator(part.items.begin()),
                     std::make_move_iterator(part.items.end()));
  for (const std::string& remark : part.remarks) whole.remarks.push_back(shown + remark);
  for (auto& [key, value] : part.metadata) {
    const auto [at, is_new] = whole.metadata.try_emplace(name_prefix + key, value);
    if (!is_new && at->second != value) {
      whole.remarks.push_back(shown + "its metadata '" + displayable(key) +
                              "' differs from that of the files before it, and is left out");
    }
  }
  whole.files.insert(whole.files.end(), part.files.begin(), part.files.end());
  whole.holds_leaves = whole.holds_leaves || part.holds_leaves;
}

}  // namespace repro

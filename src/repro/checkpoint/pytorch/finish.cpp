#include "repro/checkpoint/pytorch/finish.h"

#include <algorithm>
#include <tuple>

#include "repro/base/repeated.h"
#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"

namespace repro {
namespace {

auto identity(const StoredTensor& tensor) {
  return std::tie(tensor.storage, tensor.offset_bytes, tensor.dtype, tensor.byte_swapped, tensor.conjugated,
                  tensor.negated, tensor.shape, tensor.strides);
}

}  // namespace

void check_names(const std::vector<Item>& items, const std::string& what) {
  const auto twice = repeated_name(items, &Item::name);
  if (!twice) return;
  refuse(what, "two values have the name '" + displayable(twice->substr(0, 200)) + "', allowed is one",
         "keys that contain dots can do that; choose a part with --key");
}

void mark_aliases(std::vector<Item>& items) {
  std::vector<std::uint32_t> order;  // of those that could be aliases
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (!item.leaf && item.not_compared_reason.empty() && item.tensor.storage && item.tensor.size() > 0) {
      order.push_back(static_cast<std::uint32_t>(i));
    }
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto left = identity(items[a].tensor), right = identity(items[b].tensor);
    return left == right ? a < b : left < right;
  });
  std::size_t first = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (identity(items[order[first]].tensor) == identity(items[order[i]].tensor)) {
      items[order[i]].alias_of = items[order[first]].name.text();
    } else {
      first = i;
    }
  }
}

}  // namespace repro

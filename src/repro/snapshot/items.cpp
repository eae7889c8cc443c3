#include "repro/snapshot/item.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace repro {

std::vector<Item> items_of(SafetensorsContent content) {
  std::vector<Item> items;
  items.reserve(content.tensors.size() + content.unreadable.size());
  for (std::size_t i = 0; i < content.tensors.size(); ++i) {
    const NamedTensorView& tensor = content.tensors[i];
    items.push_back({tensor.name, StoredTensor(tensor.tensor), content.roles[i]});
  }
  for (UnreadableTensor& tensor : content.unreadable) {
    items.push_back({tensor.name, TensorView{DType::uint8, tensor.shape, {}}, tensor.role,
                     std::move(tensor.reason), std::move(tensor.dtype)});
  }
  std::unordered_map<std::string_view, std::size_t> rank;
  for (const std::string& name : content.registration_order) rank.emplace(name, rank.size());
  if (!rank.empty()) {  // parse_safetensors has checked that it names every tensor
    std::sort(items.begin(), items.end(),
              [&](const Item& a, const Item& b) { return rank.at(a.name) < rank.at(b.name); });
  }
  return items;
}

}  // namespace repro

#include "repro/compare/items.h"

#include <algorithm>
#include <unordered_map>

namespace repro {

std::vector<Item> items_of(const SafetensorsContent& content) {
  std::vector<Item> items;
  items.reserve(content.tensors.size() + content.unreadable.size());
  for (std::size_t i = 0; i < content.tensors.size(); ++i) {
    items.push_back({content.tensors[i].name, content.tensors[i].tensor, content.roles[i], "", ""});
  }
  for (const UnreadableTensor& tensor : content.unreadable) {
    items.push_back(
        {tensor.name, TensorView{DType::uint8, tensor.shape, {}}, tensor.role, tensor.reason, tensor.dtype});
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

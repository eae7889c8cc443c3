#include "repro/spec/description.h"

#include <algorithm>

#include "repro/spec/describe_value.h"
#include "repro/spec/json_pointer.h"

namespace repro {
namespace {

using Kind = FieldDescription::Kind;

void collect_places(const FieldDescription& parent, const std::string& pointer, std::string_view key,
                    std::vector<std::string>& out) {
  for (const ObjectDescription& object : parent.objects) {
    for (const FieldDescription& field : object.fields) {
      if (field.key == key) out.push_back(pointer.empty() ? "/" : pointer);
      std::string below = child_pointer(pointer, field.key);
      if (field.kind == Kind::list) below += "/<n>";
      collect_places(field, below, key, out);
    }
  }
}

}  // namespace

FieldDescription describe_spec() {
  FieldDescription root;
  describe_value(root, Spec{});
  return root;
}

std::vector<std::string> places_of_key(const FieldDescription& root, std::string_view key) {
  std::vector<std::string> out;
  collect_places(root, "", key, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::string> keys_of(const std::vector<ObjectDescription>& objects, std::string_view type) {
  std::vector<std::string> out;
  for (const ObjectDescription& object : objects) {
    if (!type.empty() && object.type != type) continue;
    for (const FieldDescription& field : object.fields) {
      if (std::find(out.begin(), out.end(), field.key) == out.end()) out.push_back(field.key);
    }
  }
  return out;
}

}  // namespace repro

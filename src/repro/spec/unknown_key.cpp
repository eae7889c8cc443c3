#include "repro/spec/unknown_key.h"

#include <algorithm>

#include "repro/base/text.h"

namespace repro {
namespace {

bool contains(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string owners_of(std::string_view key, const std::vector<ObjectDescription>& objects) {
  std::vector<std::string> owners;
  for (const ObjectDescription& object : objects) {
    if (contains(keys_of({object}, ""), key)) owners.push_back("'" + object.type + "'");
  }
  if (owners.size() == 1) return owners[0];
  const std::string last = owners.back();
  owners.pop_back();
  return join(owners, ", ") + " and " + last;
}

std::string of_other_type(std::string_view key, const std::vector<ObjectDescription>& objects,
                          std::string_view type, std::string_view noun) {
  return "a key of " + owners_of(key, objects) + " " + std::string(noun) + ", not of '" + std::string(type) +
         "'";
}

}  // namespace

std::string unknown_key_message(std::string_view key, const std::vector<ObjectDescription>& objects,
                                std::string_view type, std::string_view noun) {
  const std::vector<std::string> all = keys_of(objects, "");
  if (contains(all, key)) return of_other_type(key, objects, type, noun);
  const std::vector<std::string> own = keys_of(objects, type);
  const FieldDescription root = describe_spec();
  if (const auto places = places_of_key(root, key); !places.empty()) {
    return "unknown key; it belongs to " + join(places, " or ");
  }
  if (const auto near = nearest(key, own)) return "unknown key; did you mean '" + *near + "'?";
  if (const auto near = nearest(key, all)) {
    return "unknown key; '" + *near + "' is " + of_other_type(*near, objects, type, noun);
  }
  return "unknown key; allowed: " + join(own, ", ");
}

}  // namespace repro

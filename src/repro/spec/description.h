#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/spec/field.h"
#include "repro/spec/json_value.h"

namespace repro {

struct ObjectDescription;

// One key, as the field lists (fields.h) and the members' types and defaults have it.
struct FieldDescription {
  enum class Kind { boolean, integer, real, text, name, padding, integer_pair, object, list };
  std::string key, help, unit;
  Kind kind = Kind::boolean;
  bool required = false;
  bool nullable = false;
  std::optional<Range> range;              // integer, real, padding, integer_pair; list: its length
  const TextRule* rule = nullptr;          // text
  std::vector<std::string> names;          // name: the allowed ones
  std::optional<JsonValue> default_value;  // unless required, an object, or given by default_text
  std::string default_text;
  std::vector<ObjectDescription> objects;  // object; list: its elements. One, or one for each type
};

struct ObjectDescription {
  std::string type;  // the value of the key "type" if that decides which keys there are, else ""
  std::vector<FieldDescription> fields;
};

// The whole spec: an object.
FieldDescription describe_spec();

// Where else a key may stand: pointers of objects such as "/training" or "/model/layers/<n>", once
// each.
std::vector<std::string> places_of_key(const FieldDescription& root, std::string_view key);
// Keys of an object, of one type or all.
std::vector<std::string> keys_of(const std::vector<ObjectDescription>& objects, std::string_view type);

}  // namespace repro

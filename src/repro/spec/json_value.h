#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace repro {

// A JSON text as a tree that keeps what nlohmann's own tree loses: numbers as written, the order of
// members, and every duplicate.
struct JsonValue {
  enum class Type { null, boolean, number, string, array, object };
  Type type = Type::null;
  bool boolean = false;
  std::string text;               // string: contents in UTF-8; number: as written
  std::vector<JsonValue> items;   // array: elements; object: values of `keys`, in order
  std::vector<std::string> keys;  // object only, as many as items
};

JsonValue json_array();
JsonValue json_object();
JsonValue json(std::string_view text);
JsonValue json(double value);  // finite; the shortest decimal, whole numbers without a point
template <std::same_as<bool> T>
JsonValue json(T value) {
  JsonValue out;
  out.type = JsonValue::Type::boolean;
  out.boolean = value;
  return out;
}
template <std::integral T>
  requires(!std::same_as<T, bool>)
JsonValue json(T value) {
  JsonValue out;
  out.type = JsonValue::Type::number;
  out.text = std::to_string(value);
  return out;
}

// "0.001", "1e-08", "1000000" (never "1e+06"). Precondition: finite.
std::string number_text(double value);

// The first member named `key`, or null. Precondition: `object` is an object.
const JsonValue* find_member(const JsonValue& object, std::string_view key);
JsonValue* find_member(JsonValue& object, std::string_view key);
// Replaces the member or adds it at the end.
void set_member(JsonValue& object, std::string_view key, JsonValue value);
void remove_member(JsonValue& object, std::string_view key);
// Members of all objects in ascending order of the keys' bytes.
void sort_members(JsonValue& value);

// Two spaces a level; a container of scalars that fits into 120 columns stands on one line; a line
// feed at the end. Deterministic. Invalid UTF-8 is replaced by U+FFFD.
std::string pretty_text(const JsonValue& value);
// On one line without spaces and without a line feed at the end.
std::string compact_text(const JsonValue& value);

}  // namespace repro

#include "repro/spec/json_value.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "repro/base/number.h"

namespace repro {
namespace {

constexpr std::size_t line_width = 120;

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_container(const JsonValue& value) {
  return value.type == JsonValue::Type::array || value.type == JsonValue::Type::object;
}

// The value on one line, with the given texts behind commas and colons.
std::string on_one_line(const JsonValue& value, std::string_view space) {
  switch (value.type) {
    case JsonValue::Type::null: return "null";
    case JsonValue::Type::boolean: return value.boolean ? "true" : "false";
    case JsonValue::Type::number: return value.text;
    case JsonValue::Type::string: return quoted(value.text);
    case JsonValue::Type::array:
    case JsonValue::Type::object: break;
  }
  const bool object = value.type == JsonValue::Type::object;
  std::string out = object ? "{" : "[";
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (i > 0) (out += ',') += space;
    if (object) ((out += quoted(value.keys[i])) += ':') += space;
    out += on_one_line(value.items[i], space);
  }
  return out += object ? '}' : ']';
}

// `column`: where the value starts; `indent`: of the line that it starts on.
void write_pretty(const JsonValue& value, std::size_t indent, std::size_t column, std::string& out) {
  if (std::none_of(value.items.begin(), value.items.end(), is_container)) {
    const std::string line = on_one_line(value, " ");
    if (value.items.empty() || column + line.size() < line_width) {
      out += line;
      return;
    }
  }
  const bool object = value.type == JsonValue::Type::object;
  out += object ? '{' : '[';
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    out += i > 0 ? ",\n" : "\n";
    out.append(indent + 2, ' ');
    const std::string key = object ? quoted(value.keys[i]) + ": " : "";
    out += key;
    write_pretty(value.items[i], indent + 2, indent + 2 + key.size(), out);
  }
  (out += '\n').append(indent, ' ');
  out += object ? '}' : ']';
}

}  // namespace

JsonValue json_array() {
  JsonValue out;
  out.type = JsonValue::Type::array;
  return out;
}

JsonValue json_object() {
  JsonValue out;
  out.type = JsonValue::Type::object;
  return out;
}

JsonValue json(std::string_view text) {
  JsonValue out;
  out.type = JsonValue::Type::string;
  out.text = text;
  return out;
}

JsonValue json(double value) {
  JsonValue out;
  out.type = JsonValue::Type::number;
  out.text = number_text(value);
  return out;
}

std::string number_text(double value) {
  const bool whole = std::trunc(value) == value && std::abs(value) < 1e15;
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
}

const JsonValue* find_member(const JsonValue& object, std::string_view key) {
  const auto at = std::find(object.keys.begin(), object.keys.end(), key);
  return at == object.keys.end() ? nullptr : &object.items[at - object.keys.begin()];
}

JsonValue* find_member(JsonValue& object, std::string_view key) {
  const auto at = std::find(object.keys.begin(), object.keys.end(), key);
  return at == object.keys.end() ? nullptr : &object.items[at - object.keys.begin()];
}

void set_member(JsonValue& object, std::string_view key, JsonValue value) {
  if (JsonValue* member = find_member(object, key)) {
    *member = std::move(value);
    return;
  }
  object.keys.emplace_back(key);
  object.items.push_back(std::move(value));
}

void remove_member(JsonValue& object, std::string_view key) {
  const auto at = std::find(object.keys.begin(), object.keys.end(), key);
  if (at == object.keys.end()) return;
  object.items.erase(object.items.begin() + (at - object.keys.begin()));
  object.keys.erase(at);
}

void sort_members(JsonValue& value) {
  for (JsonValue& item : value.items) sort_members(item);
  if (value.type != JsonValue::Type::object) return;
  std::vector<std::size_t> order(value.keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value.keys[a] < value.keys[b]; });
  JsonValue sorted = json_object();
  for (const std::size_t i : order) {
    sorted.keys.push_back(std::move(value.keys[i]));
    sorted.items.push_back(std::move(value.items[i]));
  }
  value = std::move(sorted);
}

std::string pretty_text(const JsonValue& value) {
  std::string out;
  write_pretty(value, 0, 0, out);
  return out += '\n';
}

std::string compact_text(const JsonValue& value) { return on_one_line(value, ""); }

}  // namespace repro

#include "repro/spec/override.h"

#include <algorithm>
#include <optional>

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/spec/json_pointer.h"
#include "repro/spec/strict_json.h"

namespace repro {
namespace {

constexpr std::size_t max_parts = 32;

std::string as_option(const Override& change) {
  std::string text = change.pointer + "=" + change.json_text;
  if (text.size() > 200) text = text.substr(0, 200) + "...";
  return "--set '" + displayable(text) + "'";
}

[[noreturn]] void refuse(const Override& change, const std::string& message, const std::string& hint) {
  throw Error(ErrorKind::request, as_option(change) + ": " + message, hint);
}

// Text that somebody meant as a string and that lost its quotes, perhaps to the shell.
bool is_bare_word(std::string_view text) {
  return !text.empty() && text.find_first_of("\"'{}[]\n") == std::string_view::npos &&
         displayable(text) == text;
}

std::vector<std::string> parts_of(const Override& change) {
  const auto parts = split_pointer(change.pointer);
  if (!parts) {
    const bool no_slash = change.pointer[0] != '/';
    refuse(change, no_slash ? "a pointer starts with '/'" : "in a pointer, '~' is written ~0 and '/' ~1",
           no_slash ? "write --set '/" + displayable(change.pointer) + "=...'" : "");
  }
  if (parts->empty()) refuse(change, "the pointer is empty", "for instance --set /training/epochs=3");
  if (parts->size() > max_parts) {
    refuse(change,
           "a pointer of " + std::to_string(parts->size()) + " parts; at most " + std::to_string(max_parts) +
               " are allowed",
           "");
  }
  return *parts;
}

JsonDocument value_of(const Override& change) {
  try {
    return parse_strict_json(change.json_text, "the value");
  } catch (const Error& error) {
    if (!is_bare_word(change.json_text)) refuse(change, error.message(), error.hint());
    refuse(change, "the value is not JSON",
           "text needs quotes: --set '" + displayable(change.pointer) + "=\"" +
               displayable(change.json_text) + "\"'");
  }
}

// The element of an array that a part names, or nothing after adding a mistake.
JsonValue* element(JsonValue& array, const std::string& part, bool last, const Override& change,
                   const std::string& place, Mistakes& mistakes) {
  if (part == "-" && last) return &array.items.emplace_back();
  const auto index = parse_unsigned(part);
  if (index && *index < array.items.size() && std::to_string(*index) == part) {
    return &array.items[*index];
  }
  const std::string size = plural(static_cast<std::int64_t>(array.items.size()), "element");
  const std::string allowed =
      array.items.empty() ? "- (appends one)"
                          : "0 to " + std::to_string(array.items.size() - 1) + ", or a last - (appends one)";
  mistakes.add(change.pointer, "--set: there is no such element; " + displayable(place) + " has " + size +
                                   "; allowed: " + allowed);
  return nullptr;
}

}  // namespace

Override parse_override(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(ErrorKind::request,
                "--set '" + displayable(text) + "': " + (equals == 0 ? "no pointer before '='" : "no '='") +
                    "; expected /pointer=JSON",
                "for instance --set /training/epochs=3");
  }
  Override change{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
  parts_of(change);
  value_of(change);
  return change;
}

void apply_override(JsonValue& root, const Override& change, Mistakes& mistakes) {
  const std::vector<std::string> parts = parts_of(change);
  JsonDocument value = value_of(change);
  for (const std::string& duplicate : value.duplicates) {
    mistakes.add(change.pointer + duplicate, "duplicate key");
  }
  JsonValue* at = &root;
  std::string place;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (at->type == JsonValue::Type::object) {
      JsonValue* member = find_member(*at, parts[i]);
      if (!member) {
        set_member(*at, parts[i], json_object());
        member = &at->items.back();
      }
      at = member;
    } else if (at->type == JsonValue::Type::array) {
      at = element(*at, parts[i], i + 1 == parts.size(), change, place, mistakes);
      if (!at) return;
    } else {
      mistakes.add(change.pointer, "--set: there is no such place; " +
                                       (place.empty() ? "the spec" : displayable(place)) +
                                       " is neither an object nor an array");
      return;
    }
    place = child_pointer(place, parts[i]);
  }
  *at = std::move(value.root);
}

}  // namespace repro

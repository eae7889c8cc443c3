#include "repro/spec/read_value.h"

#include <algorithm>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/spec/json_pointer.h"

namespace repro {
namespace {

// The value in a few words: `"3" is a string`, `2.5`, `an array`.
std::string clipped(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? displayable(text) : displayable(text.substr(0, longest)) + "...";
}

std::string found(const JsonValue& value) {
  switch (value.type) {
    case JsonValue::Type::null: return "null";
    case JsonValue::Type::boolean: return value.boolean ? "true" : "false";
    case JsonValue::Type::number: return clipped(value.text);
    case JsonValue::Type::string: return "the string \"" + clipped(value.text) + "\"";
    case JsonValue::Type::array: return "an array";
    case JsonValue::Type::object: return "an object";
  }
  return {};
}

bool reject(const Place& place, std::string_view complaint, std::string_view allowed) {
  std::string message = found(place.value) + " " + std::string(complaint);
  if (!allowed.empty()) message += "; allowed: " + std::string(allowed);
  place.mistakes.add(place.pointer, message);
  return false;
}

std::string allowed_range(const Field& field) { return field.range ? range_text(*field.range) : ""; }

bool is_number(const Place& place, std::string_view wanted) {
  if (place.value.type == JsonValue::Type::number) return true;
  std::string complaint = "is not " + std::string(wanted);
  const bool quoted = place.value.type == JsonValue::Type::string && parse_double(place.value.text);
  if (quoted) complaint += " (write it without quotes)";
  return reject(place, complaint, allowed_range(place.field));
}

}  // namespace

bool read_value(const Place& place, bool& out) {
  if (place.value.type != JsonValue::Type::boolean) {
    return reject(place, "is not a truth value", "true or false");
  }
  out = place.value.boolean;
  return true;
}

bool read_value(const Place& place, std::int64_t& out) {
  if (!is_number(place, "an integer")) return false;
  const std::string& text = place.value.text;
  if (text.find_first_of("eE") != std::string::npos) {
    return reject(place, "is not an integer without exponent", allowed_range(place.field));
  }
  if (text.find('.') != std::string::npos) {
    return reject(place, "is not an integer", allowed_range(place.field));
  }
  const auto value = parse_integer(text);
  if (!value || (place.field.range && !place.field.range->contains(static_cast<double>(*value)))) {
    return reject(place, "is out of range", allowed_range(place.field));
  }
  out = *value;
  return true;
}

bool read_value(const Place& place, std::uint32_t& out) {
  std::int64_t value = 0;
  if (!read_value(place, value)) return false;
  out = static_cast<std::uint32_t>(value);  // the ranges of seeds end at 2^32 - 1
  return true;
}

bool read_value(const Place& place, double& out) {
  if (!is_number(place, "a number")) return false;
  const auto value = parse_double(place.value.text);
  // A number that underflows reads as zero although it has a digit that is not.
  const std::string_view digits =
      std::string_view(place.value.text).substr(0, place.value.text.find_first_of("eE"));
  const bool underflow = value == 0.0 && digits.find_first_of("123456789") != std::string_view::npos;
  if (!value || underflow) {
    return reject(place, "is beyond the range of a 64-bit floating-point number", allowed_range(place.field));
  }
  if (place.field.range && !place.field.range->contains(*value)) {
    return reject(place, "is out of range", allowed_range(place.field));
  }
  out = *value + 0.0;  // -0 becomes 0
  return true;
}

bool read_value(const Place& place, std::string& out) {
  const std::string_view allowed = place.field.rule ? place.field.rule->text : "";
  if (place.value.type != JsonValue::Type::string) return reject(place, "is not a string", allowed);
  if (place.field.rule && !place.field.rule->accepts(place.value.text)) {
    return reject(place, "is not allowed here", allowed);
  }
  out = place.value.text;
  return true;
}

bool read_value(const Place& place, Padding& out) {
  if (place.value.type == JsonValue::Type::string && place.value.text == "same") {
    out = {.same = true, .amount = 0};
    return true;
  }
  if (place.value.type != JsonValue::Type::number) {
    return reject(place, "is neither \"same\" nor an integer", "\"same\" or " + allowed_range(place.field));
  }
  std::int64_t amount = 0;
  if (!read_value(place, amount)) return false;
  out = {.same = false, .amount = amount};
  return true;
}

bool read_value(const Place& place, std::array<std::int64_t, 2>& out) {
  if (place.value.type != JsonValue::Type::array || place.value.items.size() != 2) {
    const std::string complaint =
        place.value.type == JsonValue::Type::array
            ? "of " + plural(static_cast<std::int64_t>(place.value.items.size()), "element") +
                  " is not a pair of integers"
            : "is not a pair of integers";
    return reject(place, complaint, "[rows, columns], each " + allowed_range(place.field));
  }
  std::array<std::int64_t, 2> values{};
  bool good = true;
  for (std::size_t i = 0; i < 2; ++i) {
    const Place element{place.field, place.value.items[i], child_pointer(place.pointer, std::to_string(i)),
                        place.mistakes};
    good &= read_value(element, values[i]);
  }
  if (good) out = values;
  return good;
}

bool read_name(const Place& place, std::span<const std::string> names, std::size_t& out) {
  const std::string allowed = join(names, ", ");
  if (place.value.type != JsonValue::Type::string) return reject(place, "is not a string", allowed);
  const auto at = std::find(names.begin(), names.end(), place.value.text);
  if (at == names.end()) {
    const auto near = nearest(place.value.text, names);
    return reject(place, near ? "is unknown; did you mean \"" + *near + "\"?" : "is unknown", allowed);
  }
  out = static_cast<std::size_t>(at - names.begin());
  return true;
}

bool is_object(const Place& place) {
  if (place.value.type == JsonValue::Type::object) return true;
  return reject(place, "is not an object", "");
}

bool is_array(const Place& place) {
  if (place.value.type != JsonValue::Type::array) return reject(place, "is not an array", "");
  const auto size = place.value.items.size();
  if (place.field.range && !place.field.range->contains(static_cast<double>(size))) {
    return reject(place, "of " + plural(static_cast<std::int64_t>(size), "element") + " is out of range",
                  range_text(*place.field.range) + " elements");
  }
  return true;
}

}  // namespace repro

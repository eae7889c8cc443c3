#include "repro/run/json_fields.h"

#include <cmath>
#include <limits>

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"

namespace repro {
namespace {

using Json = nlohmann::ordered_json;

std::string pointer_to(std::string_view key) {
  std::string out = "/";
  for (const char c : key) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

// Numbers are cited, other values named by their type.
std::string found(const Json& value) {
  return value.is_number() ? value.dump() : std::string(value.type_name());
}

std::optional<std::int64_t> as_integer(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return std::nullopt;
}

}  // namespace

JsonFields::JsonFields(std::string_view text, std::string_view what, std::string_view format,
                       std::int64_t version)
    : what_(displayable(what)) {
  try {
    document_ = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::input, what_ + ": not valid JSON at byte " + std::to_string(error.byte));
  } catch (const Json::exception&) {  // a number that no double can hold
    throw Error(ErrorKind::input, what_ + ": not valid JSON: a number is out of range");
  }
  if (!document_.is_object()) fail("", "expected an object, found " + found(document_));
  if (const std::string actual = this->text("format"); actual != format) {
    fail("/format", "expected '" + std::string(format) + "', found '" + displayable(actual) + "'");
  }
  if (const std::int64_t actual = integer("version", 1); actual > version) {
    throw Error(ErrorKind::input,
                what_ + ": /version: the file has version " + std::to_string(actual) +
                    ", this program reads up to version " + std::to_string(version),
                "use the version of repro-train that wrote it, or a newer one");
  }
}

void JsonFields::fail(std::string_view pointer, std::string_view reason) const {
  const std::string place = pointer.empty() ? "" : displayable(pointer) + ": ";
  throw Error(ErrorKind::input, what_ + ": " + place + std::string(reason));
}

const Json& JsonFields::member(const char* key) const {
  const auto at = document_.find(key);
  if (at == document_.end()) fail(pointer_to(key), "missing");
  return *at;
}

std::string JsonFields::text(const char* key) const {
  const Json& value = member(key);
  if (!value.is_string()) fail(pointer_to(key), "expected a string, found " + found(value));
  return value.get<std::string>();
}

bool JsonFields::boolean(const char* key) const {
  const Json& value = member(key);
  if (!value.is_boolean()) fail(pointer_to(key), "expected true or false, found " + found(value));
  return value.get<bool>();
}

std::int64_t JsonFields::integer(const char* key, std::int64_t minimum, std::int64_t maximum) const {
  const Json& value = member(key);
  const auto number = as_integer(value);
  if (!number || *number < minimum || *number > maximum) {
    const std::string upper = maximum == INT64_MAX ? "or more" : "to " + std::to_string(maximum);
    fail(pointer_to(key),
         "expected an integer, " + std::to_string(minimum) + " " + upper + ", found " + found(value));
  }
  return *number;
}

std::optional<std::int64_t> JsonFields::optional_integer(const char* key, std::int64_t minimum) const {
  if (member(key).is_null()) return std::nullopt;
  return integer(key, minimum);
}

std::uint64_t JsonFields::unsigned_integer(const char* key) const {
  const Json& value = member(key);
  if (!value.is_number_unsigned()) {
    fail(pointer_to(key), "expected an integer, 0 or more, found " + found(value));
  }
  return value.get<std::uint64_t>();
}

double JsonFields::number(const char* key) const {
  const Json& value = member(key);
  if (value.is_number()) return value.get<double>();
  const std::string spelling = value.is_string() ? value.get<std::string>() : "";
  if (spelling == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (spelling == "Infinity") return std::numeric_limits<double>::infinity();
  if (spelling == "-Infinity") return -std::numeric_limits<double>::infinity();
  fail(pointer_to(key), "expected a number, found " + found(value));
}

std::vector<std::string> JsonFields::texts(const char* key) const {
  const Json& value = member(key);
  if (!value.is_array()) fail(pointer_to(key), "expected an array, found " + found(value));
  std::vector<std::string> out;
  for (const Json& entry : value) {
    if (!entry.is_string()) {
      fail(pointer_to(key) + "/" + std::to_string(out.size()), "expected a string, found " + found(entry));
    }
    out.push_back(entry.get<std::string>());
  }
  return out;
}

std::map<std::string, std::string> JsonFields::text_map(const char* key) const {
  const Json& value = member(key);
  if (!value.is_object()) fail(pointer_to(key), "expected an object, found " + found(value));
  std::map<std::string, std::string> out;
  for (const auto& [name, entry] : value.items()) {
    if (!entry.is_string()) {
      fail(pointer_to(key) + pointer_to(name), "expected a string, found " + found(entry));
    }
    out[name] = entry.get<std::string>();
  }
  return out;
}

std::string JsonFields::object_text(const char* key) const {
  const Json& value = member(key);
  if (!value.is_object()) fail(pointer_to(key), "expected an object, found " + found(value));
  return value.dump();
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(shortest(value)); }

}  // namespace repro

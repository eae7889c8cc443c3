#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repro {

// Reads the members of one of our own JSON documents. Every trouble is Error{input} with `what` (a file's
// name, shown displayable) and the member's JSON pointer; unknown members are ignored.
class JsonFields {
 public:
  // Parses and checks "format" and "version"; a higher version than ours names both numbers.
  JsonFields(std::string_view text, std::string_view what, std::string_view format, std::int64_t version);

  std::string text(const char* key) const;
  bool boolean(const char* key) const;
  std::int64_t integer(const char* key, std::int64_t minimum, std::int64_t maximum = INT64_MAX) const;
  std::optional<std::int64_t> optional_integer(const char* key, std::int64_t minimum) const;  // null: absent
  std::uint64_t unsigned_integer(const char* key) const;
  double number(const char* key) const;  // also "NaN", "Infinity", "-Infinity"
  std::vector<std::string> texts(const char* key) const;
  std::map<std::string, std::string> text_map(const char* key) const;
  std::string object_text(const char* key) const;  // the object as JSON text

  [[noreturn]] void fail(std::string_view pointer, std::string_view reason) const;

 private:
  const nlohmann::ordered_json& member(const char* key) const;

  std::string what_;
  nlohmann::ordered_json document_;
};

// A number as JSON: NaN and infinities, which JSON lacks, as strings.
nlohmann::ordered_json number_json(double value);

}  // namespace repro

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "repro/spec/json_value.h"

namespace repro {

// What a JSON text may be at most, so that no file can exhaust memory or the stack.
inline constexpr std::size_t max_json_bytes = std::size_t{16} << 20;
inline constexpr std::size_t max_json_depth = 64;        // containers within each other
inline constexpr std::size_t max_json_values = 1000000;  // scalars and containers together

struct JsonDocument {
  JsonValue root;
  std::vector<std::string> duplicates;  // JSON pointers of repeated keys, at most 1000 of them
};

// Reads a whole text as JSON (RFC 8259), with nothing else before or behind it but white space. A
// UTF-8 byte order mark is accepted. Error{request} with line and column (both from 1, columns in
// characters) for: no JSON, invalid UTF-8, a zero byte, UTF-16, a number beyond the range of long
// double, and texts beyond the limits above. `what` names the text: "the spec".
JsonDocument parse_strict_json(std::string_view text, std::string_view what);

}  // namespace repro

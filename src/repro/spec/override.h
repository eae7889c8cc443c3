#pragma once

#include <string>
#include <string_view>

#include "repro/spec/json_value.h"
#include "repro/spec/mistakes.h"

namespace repro {

// One `--set /pointer=JSON`: replaces the value at `pointer`. Members of objects that do not exist
// yet are created (the decoder then reports unknown keys), elements of arrays are not, except that
// a last part "-" appends one.
struct Override {
  std::string pointer;    // RFC 6901, not empty
  std::string json_text;  // strict JSON
};

// "/training/epochs=3", split at the first "=". Error{request} for a missing "=", a malformed
// pointer, one of more than 32 parts, or a value that is not JSON, with a hint about quotes where
// that is the trouble.
Override parse_override(std::string_view text);

// Adds a mistake where the pointer leads through a scalar or to an element that is not there, and
// one for each duplicate key in the value. Error{request} as parse_override.
void apply_override(JsonValue& root, const Override& change, Mistakes& mistakes);

}  // namespace repro

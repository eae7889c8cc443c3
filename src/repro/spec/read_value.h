#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "repro/spec/field.h"
#include "repro/spec/json_value.h"
#include "repro/spec/mistakes.h"
#include "repro/spec/spec.h"

namespace repro {

// One value of a spec file, where it stands, and what it may be.
struct Place {
  const Field& field;
  const JsonValue& value;
  std::string pointer;
  Mistakes& mistakes;
};

// Each reads a value strictly: true, or false after adding one mistake (pointer, what was found,
// what is allowed) and leaving `out` as it was. Integers are digits with an optional minus sign: no
// quotes, no point, no exponent. Reals must neither overflow nor underflow to zero; -0 becomes 0.
bool read_value(const Place& place, bool& out);
bool read_value(const Place& place, std::int64_t& out);
bool read_value(const Place& place, std::uint32_t& out);
bool read_value(const Place& place, double& out);
bool read_value(const Place& place, std::string& out);
bool read_value(const Place& place, Padding& out);
bool read_value(const Place& place, std::array<std::int64_t, 2>& out);
// The index of the string in `names`.
bool read_name(const Place& place, std::span<const std::string> names, std::size_t& out);

bool is_object(const Place& place);  // else adds a mistake
bool is_array(const Place& place);   // else, and for a length out of range, adds a mistake

}  // namespace repro

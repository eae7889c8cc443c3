#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repro {

// JSON pointers (RFC 6901): "/model/layers/3"; "~0" stands for "~" and "~1" for "/" in a member's
// name.
std::string child_pointer(std::string_view parent, std::string_view key);

// The parts of a pointer, unescaped; {} for "". Nothing if it neither is empty nor starts with "/",
// or if a "~" is not followed by 0 or 1.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer);

}  // namespace repro

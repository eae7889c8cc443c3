#pragma once

#include <string_view>

// The prose of docs/spec.md; everything that can be told from the field lists is not here.
namespace repro::documentation_text {

extern const std::string_view introduction;
extern const std::string_view example;  // a valid spec
extern const std::string_view relations;
extern const std::string_view shapes;
extern const std::string_view seeds;

}  // namespace repro::documentation_text

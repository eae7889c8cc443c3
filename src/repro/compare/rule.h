#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace repro {

// The rule of a verdict. Under every rule dtype, shape and missing names fail.
struct Rule {
  enum class Type { bitwise, value, ulp, tolerance } type = Type::bitwise;
  std::uint64_t max_ulp = 0;  // ulp
  double relative = 0;        // tolerance, finite, >= 0
  double absolute = 0;        // tolerance, finite, >= 0
};

// "bitwise", "value", "ulp=N", "tolerance=R,A". Error{request} naming what was found and what is allowed.
Rule parse_rule(std::string_view text);
std::string rule_text(const Rule& rule);  // parse_rule(rule_text(r)) == r

}  // namespace repro

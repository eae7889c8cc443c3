#include "repro/compare/rule.h"

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"

namespace repro {
namespace {

constexpr std::string_view ulp_prefix = "ulp=";
constexpr std::string_view tolerance_prefix = "tolerance=";

[[noreturn]] void refuse(std::string_view text, const std::string& allowed) {
  throw Error(ErrorKind::request, "rule '" + displayable(text) + "': " + allowed,
              "for instance bitwise, value, ulp=4 or tolerance=1e-5,1e-8");
}

double bound(std::string_view number, std::string_view text) {
  const auto value = parse_double(number);
  if (!value || *value < 0) {
    refuse(text, "found '" + displayable(number) +
                     "', R and A in tolerance=R,A are finite decimal numbers that are not negative");
  }
  return *value == 0 ? 0 : *value;  // "-0" is zero
}

}  // namespace

Rule parse_rule(std::string_view text) {
  if (text == "bitwise") return {};
  if (text == "value") return {Rule::Type::value};
  if (text.starts_with(ulp_prefix)) {
    const std::string_view number = text.substr(ulp_prefix.size());
    const auto max_ulp = parse_unsigned(number);
    if (!max_ulp) {
      refuse(text, "found '" + displayable(number) +
                       "', N in ulp=N is a whole number from 0 to 18446744073709551615");
    }
    return {Rule::Type::ulp, *max_ulp};
  }
  if (text.starts_with(tolerance_prefix)) {
    const std::string_view numbers = text.substr(tolerance_prefix.size());
    const std::size_t comma = numbers.find(',');
    if (comma == std::string_view::npos) {
      refuse(text, "tolerance=R,A takes two numbers, a relative and an absolute bound");
    }
    const double relative = bound(numbers.substr(0, comma), text);
    return {Rule::Type::tolerance, 0, relative, bound(numbers.substr(comma + 1), text)};
  }
  refuse(text, "allowed are bitwise, value, ulp=N and tolerance=R,A");
}

std::string rule_text(const Rule& rule) {
  switch (rule.type) {
    case Rule::Type::bitwise: return "bitwise";
    case Rule::Type::value: return "value";
    case Rule::Type::ulp: return std::string(ulp_prefix) + std::to_string(rule.max_ulp);
    case Rule::Type::tolerance:
      return std::string(tolerance_prefix) + shortest(rule.relative) + "," + shortest(rule.absolute);
  }
  throw Error(ErrorKind::bug, "unknown type of rule");
}

}  // namespace repro

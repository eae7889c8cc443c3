#include "repro/spec/json_pointer.h"

namespace repro {

std::string child_pointer(std::string_view parent, std::string_view key) {
  std::string out(parent);
  out += '/';
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<std::vector<std::string>> split_pointer(std::string_view pointer) {
  std::vector<std::string> parts;
  if (!pointer.empty() && pointer[0] != '/') return std::nullopt;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    const char c = pointer[i];
    if (c == '/') {
      parts.emplace_back();
    } else if (c != '~') {
      parts.back() += c;
    } else if (++i < pointer.size() && (pointer[i] == '0' || pointer[i] == '1')) {
      parts.back() += pointer[i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return parts;
}

}  // namespace repro

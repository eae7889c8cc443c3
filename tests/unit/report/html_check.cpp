#include "unit/report/html_check.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <vector>

namespace repro {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

std::string first_imbalance(const std::string& html) {
  static const std::set<std::string> empty_elements = {"meta", "img", "br", "!doctype"};
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "unclosed <";
    const std::string inside = html.substr(at + 1, end - at - 1);
    const bool closing = inside.starts_with('/');
    const std::string name = inside.substr(closing, inside.find_first_of(" \n/", 1) - closing);
    if (empty_elements.contains(name) || inside.ends_with('/')) continue;
    if (!closing) {
      open.push_back(name);
      if (name == "style") at = html.find("</style>", at) - 1;
    } else if (open.empty() || open.back() != name) {
      return "</" + name + "> at " + std::to_string(at);
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

void check_standalone(const std::string& html) {
  CHECK(first_imbalance(html).empty());
  for (const char* forbidden : {"<script", "<link", "<iframe", "javascript:", "http://", "https://",
                                "@import", "url(", " onerror", " onload"}) {
    INFO(forbidden);
    CHECK_FALSE(has(html, forbidden));
  }
}

}  // namespace repro

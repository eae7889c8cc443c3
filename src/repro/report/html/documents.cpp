// What it takes to do it again: the command, the machine, the spec.
#include <nlohmann/json.hpp>

#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"

namespace repro::html {
namespace {

// Indented JSON, line by line through html_text: names in it may hold anything. Text that is no JSON is
// shown as it is.
std::string json_block(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  const std::string shown = json.is_discarded() ? text : json.dump(2);
  std::string out = "<pre>";
  for (std::size_t begin = 0; begin < shown.size();) {
    const std::size_t end = std::min(shown.find('\n', begin), shown.size());
    out += html_text(shown.substr(begin, end - begin));
    out += "\n";
    begin = end + 1;
  }
  return out + "</pre>\n";
}

// As a shell would need it.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./:,@%") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

}  // namespace

std::string documents(const AuditResult& audit) {
  std::string out;
  if (!audit.argv.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : audit.argv) words.push_back(quoted(word));
    out += "<pre>" + html_text(join(words, " ")) + "</pre>\n";
  }
  out += "<p class=\"quiet\">repro-train " + html_text(audit.version) + ", isolation " +
         html_text(audit.isolation) + ", from " + html_text(audit.started) + " to " + html_text(audit.ended) +
         "</p>\n";
  if (!audit.environment_json.empty()) {
    out += details("environment", json_block(audit.environment_json));
  }
  if (!audit.spec_json.empty()) out += details("spec", json_block(audit.spec_json));
  return out;
}

}  // namespace repro::html

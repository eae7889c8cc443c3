// What the spec asked of determinism against what was in force.
#include <nlohmann/json.hpp>

#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"

namespace repro::html {
namespace {

using Json = nlohmann::json;

// The value that the spec gives a setting, as text; nothing where it says nothing.
std::optional<std::string> asked_of(const Json& asked, const std::string& name) {
  const auto found = asked.find(name);
  if (found == asked.end()) return std::nullopt;
  return on_off(found->is_string() ? found->get<std::string>() : found->dump());
}

Json determinism_of(const std::string& spec_json) {
  const Json spec = Json::parse(spec_json, nullptr, false);
  if (spec.is_object() && spec.contains("execution") && spec["execution"].is_object() &&
      spec["execution"].contains("determinism") && spec["execution"]["determinism"].is_object()) {
    return spec["execution"]["determinism"];
  }
  return Json::object();
}

std::string shown(const std::string& text) {
  return text.empty() ? "<span class=\"none\">not set</span>" : html_text(text);
}
std::string marked(const std::string& text, bool wrong) {
  return wrong ? "<span class=\"warn\">" + shown(text) + "</span>" : shown(text);
}

std::string table_of(const GroupResult& group, const Json& asked) {
  const bool applies = !is_default_group(group.name);  // default leaves the library as it comes
  std::vector<std::vector<std::string>> rows;
  for (const Setting& setting : group.settings) {
    const std::string before = on_off(setting.before);
    const std::string in_force = on_off(setting.in_force);
    const std::string after = on_off(setting.after);
    const auto wanted = applies ? asked_of(asked, setting.name) : std::nullopt;
    rows.push_back({code(setting.name),
                    wanted ? html_text(*wanted) : "<span class=\"none\">as it comes</span>", shown(before),
                    marked(in_force, wanted && *wanted != in_force), marked(after, after != before)});
  }
  return table({{"setting"}, {"asked"}, {"before"}, {"in force"}, {"after"}}, rows);
}

}  // namespace

std::string settings(const AuditResult& audit) {
  const Json asked = determinism_of(audit.spec_json);
  std::string out;
  for (const GroupResult& group : audit.groups) {
    if (group.settings.empty()) continue;
    out += details("group " + group.name + ": " + determinism_text(group).value_or("settings"),
                   table_of(group, asked), decides(audit, group));
  }
  return out;
}

}  // namespace repro::html

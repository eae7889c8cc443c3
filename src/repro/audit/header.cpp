#include <nlohmann/json.hpp>

#include "repro/audit/directory.h"
#include "repro/base/text.h"
#include "repro/run/json_fields.h"

namespace repro {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format = "repro-train/audit";
constexpr std::int64_t version = 1;

std::string_view scope_name(Filter::Scope scope) {
  switch (scope) {
    case Filter::Scope::all: return "all";
    case Filter::Scope::learnables: return "learnables";
    case Filter::Scope::buffers: return "buffers";
  }
  throw Error(ErrorKind::bug, "unknown scope");
}

// The value of `values` whose name is the text of `key`.
template <class T, class Name>
T named(const JsonFields& fields, const char* key, std::initializer_list<T> values, const Name& name) {
  const std::string text = fields.text(key);
  for (const T value : values) {
    if (name(value) == text) return value;
  }
  fields.fail("/" + std::string(key), "unknown value '" + displayable(text) + "'");
}

}  // namespace

std::string_view name_of(AuditState state) {
  switch (state) {
    case AuditState::running: return "running";
    case AuditState::interrupted: return "interrupted";
    case AuditState::finished: return "finished";
  }
  throw Error(ErrorKind::bug, "unknown audit state");
}

std::string encode_header(const AuditHeader& header) {
  Json groups = Json::array();
  Json deterministic = Json::array(), warn_only = Json::array();
  for (const PlannedGroup& group : header.groups) {
    groups.push_back(group.name);
    if (group.deterministic) deterministic.push_back(group.name);
    if (group.warn_only) warn_only.push_back(group.name);
  }
  const Json json = {{"format", format},
                     {"version", version},
                     {"state", name_of(header.state)},
                     {"tool_version", header.tool_version},
                     {"argv", header.argv},
                     {"started", header.started},
                     {"ended", header.ended},
                     {"device", header.device},
                     {"device_line", header.device_line},
                     {"rule", header.rule},
                     {"only", header.filter.only},
                     {"ignore", header.filter.ignore},
                     {"scope", scope_name(header.filter.scope)},
                     {"expect", header.expect_different ? "different" : "identical"},
                     {"isolation", header.isolation},
                     {"runs", header.runs},
                     {"groups", groups},
                     {"deterministic_groups", deterministic},
                     {"warn_only_groups", warn_only},
                     {"warnings", header.warnings}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

AuditHeader decode_header(std::string_view json_text, std::string_view what) {
  const JsonFields fields(json_text, what, format, version);
  AuditHeader header;
  header.state = named(fields, "state", {AuditState::running, AuditState::interrupted, AuditState::finished},
                       [](AuditState s) { return name_of(s); });
  header.tool_version = fields.text("tool_version");
  header.argv = fields.texts("argv");
  header.started = fields.text("started");
  header.ended = fields.text("ended");
  header.device = fields.text("device");
  header.device_line = fields.text("device_line");
  header.rule = fields.text("rule");
  header.filter.only = fields.texts("only");
  header.filter.ignore = fields.texts("ignore");
  header.filter.scope = named(
      fields, "scope", {Filter::Scope::all, Filter::Scope::learnables, Filter::Scope::buffers}, scope_name);
  header.expect_different = named(fields, "expect", {false, true},
                                  [](bool different) { return different ? "different" : "identical"; });
  header.isolation = fields.text("isolation");
  header.runs = fields.integer("runs", 0);
  const std::vector<std::string> deterministic = fields.texts("deterministic_groups");
  const std::vector<std::string> warn_only = fields.texts("warn_only_groups");
  const auto listed = [](const std::vector<std::string>& names, const std::string& group) {
    return std::ranges::find(names, group) != names.end();
  };
  for (const std::string& group : fields.texts("groups")) {
    header.groups.push_back({group, listed(deterministic, group), listed(warn_only, group)});
  }
  header.warnings = fields.texts("warnings");
  return header;
}

}  // namespace repro

#include "repro/run/request.h"

#include <array>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/run/json_fields.h"
#include "repro/spec/decode.h"

namespace repro {
namespace {

constexpr std::string_view format = "repro-train/run-request";
constexpr std::int64_t version = 1;

TraceLevel trace_level(const JsonFields& fields) {
  const std::string name = fields.text("trace");
  if (const auto level = trace_level_named(name)) return *level;
  fields.fail("/trace", "expected 'none', 'steps' or 'ops', found '" + displayable(name) + "'");
}

// The group becomes part of a folder's name.
std::string group_name(const JsonFields& fields) {
  const std::string name = fields.text("group");
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos) {
    fields.fail("/group", "expected one or more of a-z, 0-9, '_' and '-', found '" + displayable(name) + "'");
  }
  return name;
}

std::optional<Injection> injection_of(const JsonFields& fields) {
  const std::string text = fields.text("injection");
  if (text.empty()) return std::nullopt;
  try {
    return parse_injection(text, "injection");
  } catch (const Error& error) {
    fields.fail("/injection", error.message());
  }
}

Spec embedded_spec(const JsonFields& fields) {
  const std::string text = fields.object_text("spec");
  try {
    return decode_spec(text, "spec", {});
  } catch (const Error& error) {
    // A mistake in a file that a program wrote is no mistake of the user's request.
    fields.fail("/spec", error.message());
  }
}

}  // namespace

std::string_view name_of(TraceLevel level) {
  switch (level) {
    case TraceLevel::none: return "none";
    case TraceLevel::steps: return "steps";
    case TraceLevel::ops: return "ops";
  }
  throw Error(ErrorKind::bug, "a trace level that does not exist");
}

std::optional<TraceLevel> trace_level_named(std::string_view name) {
  for (const TraceLevel level : {TraceLevel::none, TraceLevel::steps, TraceLevel::ops}) {
    if (name_of(level) == name) return level;
  }
  return std::nullopt;
}

std::string encode_request(const RunRequest& request) {
  const nlohmann::ordered_json json = {{"format", format},
                                       {"version", version},
                                       {"group", request.group},
                                       {"index", request.index},
                                       {"device", request.device},
                                       {"threads", request.threads},
                                       {"deterministic", request.deterministic},
                                       {"warn_only", request.warn_only},
                                       {"trace", name_of(request.trace)},
                                       {"save_optimizer", request.save_optimizer},
                                       {"injection", request.injection ? text_of(*request.injection) : ""},
                                       {"part_from", request.part_from},
                                       {"environment", request.environment},
                                       {"spec_folder", request.spec_folder},
                                       {"spec", nlohmann::ordered_json::parse(encode_spec(request.spec))}};
  return json.dump(2) + "\n";
}

RunRequest decode_request(std::string_view json_text, std::string_view what) {
  const JsonFields fields(json_text, what, format, version);
  RunRequest request;
  request.group = group_name(fields);
  request.index = fields.integer("index", 0);
  request.device = fields.text("device");
  request.threads = fields.integer("threads", 1);
  request.deterministic = fields.boolean("deterministic");
  request.trace = trace_level(fields);
  request.save_optimizer = fields.boolean("save_optimizer");
  request.warn_only = fields.boolean("warn_only");
  request.injection = injection_of(fields);
  request.part_from = fields.text("part_from");
  request.environment = fields.text_map("environment");
  request.spec_folder = fields.text("spec_folder");
  request.spec = embedded_spec(fields);
  return request;
}

RunRequest read_request(const fs::path& run_directory) {
  const fs::path file = run_directory / "request.json";
  return decode_request(read_text_file(file), displayable(file.string()));
}

}  // namespace repro

#include "repro/run/record.h"

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/run/json_fields.h"

namespace repro {
namespace {

constexpr std::string_view format = "repro-train/run-result";
constexpr std::int64_t version = 1;

RunStatus run_status(const JsonFields& fields) {
  const std::string name = fields.text("status");
  for (const RunStatus status : {RunStatus::finished, RunStatus::failed, RunStatus::interrupted}) {
    if (name_of(status) == name) return status;
  }
  fields.fail("/status", "expected 'finished', 'failed' or 'interrupted', found '" + displayable(name) + "'");
}

// Names lead nowhere but into the run's folder, and hashes look like hashes.
std::map<std::string, std::string> file_hashes(const JsonFields& fields) {
  auto files = fields.text_map("files");
  for (const auto& [name, hash] : files) {
    const fs::path path(name);
    bool inside = !name.empty() && path.is_relative();
    for (const fs::path& part : path) inside = inside && part != "..";
    if (!inside) fields.fail("/files", "no name of a file of a run: '" + displayable(name) + "'");
    if (hash.size() != 64 || hash.find_first_not_of("0123456789abcdef") != std::string::npos) {
      fields.fail("/files/" + name,
                  "expected a SHA-256 of 64 lower-case digits, found '" + displayable(hash) + "'");
    }
  }
  return files;
}

}  // namespace

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::finished: return "finished";
    case RunStatus::failed: return "failed";
    case RunStatus::interrupted: return "interrupted";
  }
  throw Error(ErrorKind::bug, "a run status that does not exist");
}

std::string encode_record(const RunRecord& record) {
  nlohmann::ordered_json first_nan_step;
  if (record.first_nan_step) first_nan_step = *record.first_nan_step;
  const nlohmann::ordered_json json = {{"format", format},
                                       {"version", version},
                                       {"name", record.name},
                                       {"status", name_of(record.status)},
                                       {"message", record.message},
                                       {"steps", record.steps},
                                       {"epochs", record.epochs},
                                       {"stopped_early", record.stopped_early},
                                       {"first_nan_step", first_nan_step},
                                       {"started", record.started},
                                       {"seconds", number_json(record.seconds)},
                                       {"step_seconds", number_json(record.step_seconds)},
                                       {"peak_memory_bytes", record.peak_memory_bytes},
                                       {"warnings", record.warnings},
                                       {"files", record.files}};
  // A message can quote the log of any program: bytes that are no UTF-8 become U+FFFD.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

RunRecord decode_record(std::string_view json_text, std::string_view what) {
  const JsonFields fields(json_text, what, format, version);
  RunRecord record;
  record.name = fields.text("name");
  record.status = run_status(fields);
  record.message = fields.text("message");
  record.steps = fields.integer("steps", 0);
  record.epochs = fields.integer("epochs", 0);
  record.stopped_early = fields.boolean("stopped_early");
  record.first_nan_step = fields.optional_integer("first_nan_step", 0);
  record.started = fields.text("started");
  record.seconds = fields.number("seconds");
  record.step_seconds = fields.number("step_seconds");
  record.peak_memory_bytes = fields.unsigned_integer("peak_memory_bytes");
  record.warnings = fields.texts("warnings");
  record.files = file_hashes(fields);
  return record;
}

}  // namespace repro

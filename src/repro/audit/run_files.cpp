#include "repro/audit/run_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "repro/base/mapped_file.h"
#include "repro/base/sha256.h"
#include "repro/base/text.h"
#include "repro/snapshot/item.h"

namespace repro {
namespace {

constexpr std::size_t log_tail_lines = 10;
constexpr std::uint64_t log_tail_bytes = 64 * 1024;

void check_hashes(const fs::path& directory, const RunRecord& record) {
  for (const auto& [name, hash] : record.files) {
    const fs::path file = directory / name;
    if (sha256_hex_of_file(file) != hash) {
      throw Error(ErrorKind::input,
                  displayable(file.string()) +
                      " has been changed since the run ended: its SHA-256 is "
                      "not the one in result.json",
                  "repeat the audit");
    }
  }
}

std::vector<std::string> last_lines(const fs::path& log) {
  if (!fs::exists(log)) return {};
  const MappedFile file(log);
  std::string_view text = as_text(file.bytes());
  if (text.size() > log_tail_bytes) text.remove_prefix(text.size() - log_tail_bytes);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(displayable(text.substr(0, std::min<std::size_t>(end, 1000))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (lines.size() > log_tail_lines) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(log_tail_lines));
  }
  return lines;
}

std::string text_if_there(const fs::path& file) {
  return fs::exists(file) ? read_text_file(file) : std::string();
}

}  // namespace

RunSnapshot::RunSnapshot(const fs::path& run_directory) : weights_(run_directory / "weights.safetensors") {
  add(weights_);
  const fs::path predictions = run_directory / "predictions.safetensors";
  if (!fs::exists(predictions)) return;
  predictions_.emplace(predictions);
  add(*predictions_);
}

void RunSnapshot::add(const SafetensorsFile& file) {
  for (Item& item : items_of(file.content())) items_.push_back(std::move(item));
}

void RunSnapshot::check_unchanged() const {
  weights_.check_unchanged();
  if (predictions_) predictions_->check_unchanged();
}

bool RunSnapshot::passes_identical() const {
  const auto first = std::ranges::find(items_, "predictions.pass1", &Item::name);
  const auto second = std::ranges::find(items_, "predictions.pass2", &Item::name);
  if (first == items_.end() || second == items_.end()) return first == second;
  return std::ranges::equal(first->tensor.direct, second->tensor.direct);
}

RunResult read_run(const fs::path& directory, const std::string& group, std::int64_t index) {
  RunResult run;
  run.group = group;
  run.index = index;
  run.directory = directory;
  const fs::path file = directory / "result.json";
  if (!fs::exists(file)) {
    run.record.name = directory.filename().string();
    run.record.status = RunStatus::interrupted;
    run.record.message = fs::exists(directory) ? "interrupted" : "not started";
    return run;
  }
  run.record = decode_record(read_text_file(file), displayable(file.string()));
  check_hashes(directory, run.record);
  run.environment_json = text_if_there(directory / "environment.json");
  if (fs::exists(directory / "steps.csv")) run.steps = read_steps_csv(directory / "steps.csv");
  if (fs::exists(directory / "validation.csv")) {
    run.validation = read_validation_csv(directory / "validation.csv");
  }
  if (fs::exists(directory / "alerts.csv")) run.alerts = read_alerts_csv(directory / "alerts.csv");
  if (run.record.status != RunStatus::finished) {
    run.log_tail = last_lines(directory / "log.txt");
    return run;
  }
  const auto hash = [&](const char* name) {
    const auto found = run.record.files.find(name);
    return found == run.record.files.end() ? std::string() : found->second;
  };
  run.weights_sha256 = hash("weights.safetensors");
  run.result_class = run.weights_sha256 + "/" + hash("predictions.safetensors");
  return run;
}

std::vector<Setting> read_settings_of(const std::string& environment_json) {
  std::vector<Setting> settings;
  if (environment_json.empty()) return settings;
  try {
    const auto json = nlohmann::ordered_json::parse(environment_json);
    for (const auto& entry : json.at("determinism")) {
      settings.push_back({entry.at("name"), entry.at("before"), entry.at("in_force"), entry.at("after")});
    }
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::input, "environment.json of a run is malformed", "repeat the audit");
  }
  return settings;
}

}  // namespace repro

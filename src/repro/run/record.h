#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/snapshot/trace.h"

namespace repro {

enum class RunStatus { finished, failed, interrupted };
std::string_view name_of(RunStatus status);

// What result.json says of a run: written last, after the process (isolation shared: that run) has ended.
struct RunRecord {
  std::string name;  // "<group>-<k>"
  RunStatus status = RunStatus::failed;
  std::string message;  // failed: one line with the reason
  std::int64_t steps = 0;
  std::int64_t epochs = 0;                     // begun
  bool stopped_early = false;                  // validation patience ran out
  std::optional<std::int64_t> first_nan_step;  // the first step whose loss is not finite
  std::string started;                         // UTC, "2026-11-30T15:00:00Z"
  double seconds = 0;                          // wall time of the run as the worker saw it
  double step_seconds = 0;                     // median over the steps
  std::uint64_t peak_memory_bytes =
      0;  // resident; isolation shared: of the process up to the end of this run
  std::vector<std::string> warnings;
  std::map<std::string, std::string> files;  // name -> SHA-256 of every file of the run but result.json
};

std::string encode_record(const RunRecord& record);
// Error{input} for text that is no record of this version.
RunRecord decode_record(std::string_view json_text, std::string_view what);

// A row of steps.csv and of validation.csv.
struct StepRow {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  float loss = 0;
  double learning_rate = 0;
  std::uint64_t batch_fingerprint = 0;
  std::uint64_t weights_fingerprint = 0;
  double seconds = 0;
};
struct ValidationRow {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  float loss = 0;
};
// A row of alerts.csv: LibTorch's word, in warn mode, that an operation has no deterministic implementation.
struct AlertRow {
  std::int64_t step = 0;
  Phase phase = Phase::forward;
  std::string layer, operation;  // "" where there is none
  std::int64_t count = 1;        // of the same one in this step
  std::string message;           // one line, as the library says it
};
extern const std::string_view steps_csv_header;
extern const std::string_view validation_csv_header;
extern const std::string_view alerts_csv_header;
std::string csv_line(const StepRow& row);
std::string csv_line(const ValidationRow& row);
std::string csv_line(const AlertRow& row);
// A file that ends within a line is read up to its last whole line. Error{input} otherwise.
std::vector<StepRow> read_steps_csv(const fs::path& path);
std::vector<ValidationRow> read_validation_csv(const fs::path& path);
std::vector<AlertRow> read_alerts_csv(const fs::path& path);

}  // namespace repro

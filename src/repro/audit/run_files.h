#pragma once

#include <optional>
#include <vector>

#include "repro/audit/result.h"
#include "repro/compare/diff.h"
#include "repro/snapshot/safetensors.h"

namespace repro {

// What counts of a finished run: learnables in registration order, then buffers, then predictions. The
// items point into the mapped files and live as long as the object.
class RunSnapshot {
 public:
  explicit RunSnapshot(const fs::path& run_directory);
  const std::vector<Item>& items() const { return items_; }
  // Error{input} if a file has changed since it was mapped.
  void check_unchanged() const;
  // Prediction pass 2 equals pass 1 bit for bit; true without predictions.
  bool passes_identical() const;

 private:
  void add(const SafetensorsFile& file);

  SafetensorsFile weights_;
  std::optional<SafetensorsFile> predictions_;
  std::vector<Item> items_;
};

// result.json, tables, log and environment of <directory>. A run without result.json is interrupted.
// Error{input} if a file's SHA-256 is not the one on record.
RunResult read_run(const fs::path& directory, const std::string& group, std::int64_t index);

// The determinism settings of a run's environment.json; empty without one.
std::vector<Setting> read_settings_of(const std::string& environment_json);

}  // namespace repro

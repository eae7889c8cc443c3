#pragma once

#include <map>
#include <string>

#include "compare_options.h"
#include "progress.h"
#include "repro/audit/execute.h"

namespace repro {

// The environment of this process.
std::map<std::string, std::string> environment_variables();

// Shows an audit while it runs: the device on standard output, progress and warnings on standard error.
class ConsoleObserver : public AuditObserver {
 public:
  explicit ConsoleObserver(const OutputOptions& output);

  void on_device(const std::string& device_line) override;
  void on_run_started(const std::string& run, std::int64_t number, std::int64_t total) override;
  void on_step(const WorkerEvent& event) override { progress_.step(event); }
  void on_run_ended(const RunRecord& record) override;
  void on_warning(const std::string& message) override;

 private:
  const bool results_;
  Progress progress_;
};

}  // namespace repro

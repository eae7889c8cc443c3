#pragma once

#include <string>

#include "repro/audit/directory.h"
#include "repro/audit/plan.h"
#include "repro/run/protocol.h"
#include "repro/run/record.h"

namespace repro {

// Told what happens while an audit runs. Called from the thread that executes.
class AuditObserver {
 public:
  virtual ~AuditObserver() = default;
  // The device is known; nothing has run yet.
  virtual void on_device(const std::string& device_line) = 0;
  // `number` of `total` runs, from 1.
  virtual void on_run_started(const std::string& run, std::int64_t number, std::int64_t total) = 0;
  virtual void on_step(const WorkerEvent& event) = 0;
  virtual void on_run_ended(const RunRecord& record) = 0;
  virtual void on_warning(const std::string& message) = 0;
};

struct ExecuteOptions {
  fs::path worker;
  bool overwrite = false;
  std::map<std::string, std::string> environment;  // of this process
  int interrupt_descriptor = -1;                   // readable once the user asked to stop
};

struct Execution {
  bool interrupted = false;
  bool worker_bug = false;  // a run failed by a broken invariant of ours
};

// Runs the plan: makes the audit directory once the first worker is ready, trains every run one after the
// other, writes result.json after each. A failed run does not stop the others. With isolation "process"
// every run has a worker of its own; with "shared" one worker makes all runs of all groups in order, and
// if it dies, the runs that it leaves undone fail with that reason.
// Before the first run: Error{request} (worker, output directory), Error{unavailable} (device). Later
// Error{unavailable} if the audit's own files cannot be written.
Execution execute(const AuditPlan& plan, const ExecuteOptions& options, AuditObserver& observer);

}  // namespace repro

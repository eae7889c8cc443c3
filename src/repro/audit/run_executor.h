#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "repro/audit/execute.h"
#include "repro/audit/worker.h"

namespace repro {

// Starts workers and has them train, one run after the other. With isolation "process" every run has a
// worker of its own; with "shared" one worker makes all of them, and if it dies, the rest fail with that
// reason.
class RunExecutor {
 public:
  RunExecutor(const AuditPlan& plan, const ExecuteOptions& options, AuditObserver& observer);

  // Starts the worker for the first run. Error{request} (worker), Error{unavailable} (device).
  const WorkerEvent& start(const PlannedGroup& group);
  // What is asked of run `k` of a group; nothing injected.
  RunRequest request(const PlannedGroup& group, std::int64_t k) const;
  // Trains in `directory`, which is made, and leaves result.json there, whatever happens. The run's own
  // trouble is no exception; Interrupted is.
  RunRecord run(const PlannedGroup& group, RunRequest request, const fs::path& directory, std::int64_t number,
                std::int64_t total);
  // A run failed by a broken invariant of ours.
  bool worker_bug() const { return worker_bug_; }
  void stop();

 private:
  bool shared() const { return plan_.spec.audit.isolation == Isolation::shared; }
  bool deterministic_variables(const PlannedGroup& group) const;
  WorkerEvent train(const PlannedGroup& group, RunRequest request, const fs::path& directory,
                    RunRecord& record);

  const AuditPlan& plan_;
  const ExecuteOptions& options_;
  AuditObserver& observer_;
  std::string device_;  // resolved by the first worker
  bool worker_bug_ = false;
  std::map<std::string, std::string> environment_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace repro

#include "repro/audit/execute.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "repro/audit/run_files.h"
#include "repro/audit/worker.h"
#include "repro/base/sha256.h"
#include "repro/base/text.h"
#include "repro/environment/environment.h"
#include "repro/spec/decode.h"

namespace repro {
namespace {

std::string device_line(const WorkerEvent& ready, const std::string& asked) {
  if (ready.device != "cpu") return displayable(ready.device_name) + " selected.";
  if (asked == "cpu") return "CPU selected; the verdict holds for the CPU only.";
  return "CPU selected: " + displayable(ready.device_reason) + "; the verdict holds for the CPU only.";
}

std::map<std::string, std::string> hashes_of(const fs::path& directory) {
  std::map<std::string, std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name != "result.json" && fs::is_regular_file(entry.symlink_status())) {
      out[name] = sha256_hex_of_file(entry.path());
    }
  }
  return out;
}

// What a run calls finished counts only if it left weights that can be read.
WorkerEvent with_checked_files(const WorkerEvent& end, const fs::path& directory) {
  if (end.type != WorkerEvent::Type::finished) return end;
  try {
    const RunSnapshot snapshot(directory);
    return end;
  } catch (const Error& error) {
    return failed_event({ErrorKind::unavailable, "the run left no usable result: " + error.message()});
  }
}

// One audit while it runs.
class Executor {
 public:
  Executor(const AuditPlan& plan, const ExecuteOptions& options, AuditObserver& observer)
      : plan_(plan), options_(options), observer_(observer) {}

  Execution run() {
    std::int64_t number = 0;
    const std::int64_t total = static_cast<std::int64_t>(plan_.groups.size()) * plan_.spec.audit.runs;
    try {
      start_worker(plan_.groups.front());
      begin_audit();
      for (const PlannedGroup& group : plan_.groups) {
        for (std::int64_t k = 0; k < plan_.spec.audit.runs; ++k) {
          run_one(group, k, ++number, total);
        }
      }
    } catch (const Interrupted&) {
      if (begun_) end_audit(AuditState::interrupted);  // first: a second signal ends us at once
      if (worker_) worker_->stop();
      return {true, worker_bug_};
    }
    worker_.reset();
    end_audit(AuditState::finished);
    return {false, worker_bug_};
  }

 private:
  bool shared() const { return plan_.spec.audit.isolation == Isolation::shared; }

  // In a shared process the variables of the deterministic group count from the start.
  bool deterministic_variables(const PlannedGroup& group) const {
    return shared() ? std::ranges::any_of(plan_.groups, &PlannedGroup::deterministic) : group.deterministic;
  }

  void start_worker(const PlannedGroup& group) {
    environment_ = worker_environment(plan_, deterministic_variables(group), options_.environment);
    const std::string& asked = plan_.spec.execution.device;
    worker_ = std::make_unique<Worker>(options_.worker, header_.device.empty() ? asked : header_.device,
                                       environment_, options_.interrupt_descriptor);
  }

  void begin_audit() {
    make_output_directory(plan_.directory, options_.overwrite);
    begun_ = true;
    header_.tool_version = build_facts().version;
    header_.argv = plan_.argv;
    header_.started = utc_now();
    header_.device = worker_->ready().device;
    header_.device_line = device_line(worker_->ready(), plan_.spec.execution.device);
    header_.rule = rule_text(plan_.rule);
    header_.filter = plan_.filter;
    header_.expect_different = plan_.expect_different;
    header_.isolation = shared() ? "shared" : "process";
    header_.runs = plan_.spec.audit.runs;
    header_.groups = plan_.groups;
    write_header();
    write_file(plan_.directory / "spec.json", encode_spec(plan_.spec));
    write_file(plan_.directory / "environment.json", environment_json(machine_facts(), build_facts()));
    observer_.on_device(header_.device_line);
    const std::int64_t threads = resolved_threads(plan_.spec);
    if (threads > usable_cores()) {
      warn(plural(threads, "thread") + " on " + plural(usable_cores(), "core") +
           ": slow, and the bits are those of " + std::to_string(threads) + " threads");
    }
  }

  void write_header() { write_file(plan_.directory / "audit.json", encode_header(header_)); }

  void end_audit(AuditState state) {
    header_.state = state;
    header_.ended = utc_now();
    write_header();
  }

  void warn(const std::string& message) {
    header_.warnings.push_back(message);
    observer_.on_warning(message);
  }

  void run_one(const PlannedGroup& group, std::int64_t k, std::int64_t number, std::int64_t total) {
    const fs::path directory = run_directory(plan_.directory, group.name, k);
    RunRecord record;
    record.name = directory.filename().string();
    record.started = utc_now();
    observer_.on_run_started(record.name, number, total);
    const WorkerEvent end = train(group, k, directory, record);
    worker_bug_ |= end.type == WorkerEvent::Type::failed && end.error == ErrorKind::bug;
    record.status = end.type == WorkerEvent::Type::finished ? RunStatus::finished : RunStatus::failed;
    record.message = displayable(end.message);
    if (!end.hint.empty()) record.message += "; " + displayable(end.hint);
    record.steps = end.step;
    record.epochs = end.epoch;
    record.stopped_early = end.stopped_early;
    record.first_nan_step = end.first_nan_step;
    record.seconds = end.seconds;
    record.step_seconds = end.step_seconds;
    record.peak_memory_bytes = end.peak_memory_bytes;
    record.files = hashes_of(directory);
    write_file(directory / "result.json", encode_record(record));
    observer_.on_run_ended(record);
  }

  // Never throws for what is the run's own trouble: that is the event `failed`.
  WorkerEvent train(const PlannedGroup& group, std::int64_t k, const fs::path& directory, RunRecord& record) {
    try {
      if (!worker_ && shared()) {
        throw Error(ErrorKind::unavailable, "not started: the shared worker had ended before");
      }
      if (!worker_) start_worker(group);
      fs::create_directory(directory);
      write_file(directory / "request.json", encode_request(request(group, k)));
      const WorkerEvent end = worker_->train(directory, [&](const WorkerEvent& event) {
        if (event.type == WorkerEvent::Type::step) observer_.on_step(event);
        if (event.type != WorkerEvent::Type::warning) return;
        record.warnings.push_back(displayable(event.message));
        observer_.on_warning(record.name + ": " + record.warnings.back());
      });
      if (!shared() || !worker_->alive()) worker_.reset();
      return with_checked_files(end, directory);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::bug) throw;
      worker_.reset();
      fs::create_directory(directory);
      return failed_event(error);
    }
  }

  RunRequest request(const PlannedGroup& group, std::int64_t k) const {
    RunRequest out;
    out.group = group.name;
    out.index = k;
    out.spec = plan_.spec;
    out.spec_folder = plan_.spec_folder;
    out.device = header_.device;
    out.threads = resolved_threads(plan_.spec);
    out.deterministic = group.deterministic;
    out.trace = plan_.trace;
    out.save_optimizer = plan_.save_optimizer;
    out.environment = environment_;
    return out;
  }

  const AuditPlan& plan_;
  const ExecuteOptions& options_;
  AuditObserver& observer_;
  AuditHeader header_;
  bool begun_ = false;
  bool worker_bug_ = false;
  std::map<std::string, std::string> environment_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace

Execution execute(const AuditPlan& plan, const ExecuteOptions& options, AuditObserver& observer) {
  return Executor(plan, options, observer).run();
}

}  // namespace repro

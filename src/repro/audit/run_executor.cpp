#include "repro/audit/run_executor.h"

#include <algorithm>

#include "repro/audit/directory.h"
#include "repro/audit/run_files.h"
#include "repro/base/sha256.h"
#include "repro/base/text.h"

namespace repro {
namespace {

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

RunRecord record_of(const WorkerEvent& end, const fs::path& directory, RunRecord record) {
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
  return record;
}

}  // namespace

RunExecutor::RunExecutor(const AuditPlan& plan, const ExecuteOptions& options, AuditObserver& observer)
    : plan_(plan), options_(options), observer_(observer) {}

// In a shared process the variables of the deterministic group count from the start.
bool RunExecutor::deterministic_variables(const PlannedGroup& group) const {
  return shared() ? std::ranges::any_of(plan_.groups, &PlannedGroup::deterministic) : group.deterministic;
}

const WorkerEvent& RunExecutor::start(const PlannedGroup& group) {
  environment_ = worker_environment(plan_, deterministic_variables(group), options_.environment);
  worker_ = std::make_unique<Worker>(options_.worker, device_.empty() ? plan_.spec.execution.device : device_,
                                     environment_, options_.interrupt_descriptor);
  device_ = worker_->ready().device;
  return worker_->ready();
}

RunRequest RunExecutor::request(const PlannedGroup& group, std::int64_t k) const {
  RunRequest out;
  out.group = group.name;
  out.index = k;
  out.spec = plan_.spec;
  out.spec_folder = plan_.spec_folder;
  out.threads = resolved_threads(plan_.spec);
  out.deterministic = group.deterministic;
  out.warn_only = group.warn_only;
  out.trace = plan_.trace;
  out.save_optimizer = plan_.save_optimizer;
  return out;
}

RunRecord RunExecutor::run(const PlannedGroup& group, RunRequest request, const fs::path& directory,
                           std::int64_t number, std::int64_t total) {
  RunRecord record;
  record.name = directory.filename().string();
  record.started = utc_now();
  observer_.on_run_started(record.name, number, total);
  const WorkerEvent end = train(group, std::move(request), directory, record);
  worker_bug_ |= end.type == WorkerEvent::Type::failed && end.error == ErrorKind::bug;
  record = record_of(end, directory, std::move(record));
  write_file(directory / "result.json", encode_record(record));
  observer_.on_run_ended(record);
  return record;
}

// Never throws for what is the run's own trouble: that is the event `failed`.
WorkerEvent RunExecutor::train(const PlannedGroup& group, RunRequest request, const fs::path& directory,
                               RunRecord& record) {
  try {
    if (!worker_ && shared()) {
      throw Error(ErrorKind::unavailable, "not started: the shared worker had ended before");
    }
    if (!worker_) start(group);
    request.device = device_;
    request.environment = environment_;
    fs::create_directories(directory);
    write_file(directory / "request.json", encode_request(request));
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
    fs::create_directories(directory);
    return failed_event(error);
  }
}

void RunExecutor::stop() {
  if (worker_) worker_->stop();
}

}  // namespace repro

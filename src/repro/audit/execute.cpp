#include "repro/audit/execute.h"

#include <algorithm>
#include <optional>

#include "repro/audit/run_executor.h"
#include "repro/base/text.h"
#include "repro/environment/environment.h"
#include "repro/model/model.h"
#include "repro/spec/decode.h"

namespace repro {
namespace {

std::string device_line(const WorkerEvent& ready, const std::string& asked) {
  if (ready.device != "cpu") return displayable(ready.device_name) + " selected.";
  if (asked == "cpu") return "CPU selected; the verdict holds for the CPU only.";
  return "CPU selected: " + displayable(ready.device_reason) + "; the verdict holds for the CPU only.";
}

// The fault that a run is to have: those of the plan name it, or its index in every group.
std::optional<Injection> injection_for(const AuditPlan& plan, const std::string& run, std::int64_t k) {
  for (const Injection& injection : plan.injections) {
    if (injection.run == run || injection.run == std::to_string(k)) return injection;
  }
  return std::nullopt;
}

// One audit while it runs.
class Executor {
 public:
  Executor(const AuditPlan& plan, const ExecuteOptions& options, AuditObserver& observer)
      : plan_(plan), overwrite_(options.overwrite), observer_(observer), runs_(plan, options, observer) {}

  Execution run() {
    const std::int64_t of_groups = static_cast<std::int64_t>(plan_.groups.size()) * plan_.spec.audit.runs;
    const std::int64_t total = of_groups + (plan_.prove ? 1 : 0);
    std::int64_t number = 0;
    try {
      begin_audit(runs_.start(plan_.groups.front()));
      for (const PlannedGroup& group : plan_.groups) {
        for (std::int64_t k = 0; k < plan_.spec.audit.runs; ++k) {
          run_one(group, k, ++number, total);
        }
      }
      if (plan_.prove) prove(++number, total);
    } catch (const Interrupted&) {
      if (begun_) end_audit(AuditState::interrupted);  // first: a second signal ends us at once
      runs_.stop();
      return {true, runs_.worker_bug()};
    }
    end_audit(AuditState::finished);
    return {false, runs_.worker_bug()};
  }

 private:
  void begin_audit(const WorkerEvent& ready) {
    make_output_directory(plan_.directory, overwrite_);
    begun_ = true;
    header_.tool_version = build_facts().version;
    header_.argv = plan_.argv;
    header_.started = utc_now();
    header_.device = ready.device;
    header_.device_line = device_line(ready, plan_.spec.execution.device);
    header_.rule = rule_text(plan_.rule);
    header_.filter = plan_.filter;
    header_.expect_different = plan_.expect_different;
    header_.isolation = plan_.spec.audit.isolation == Isolation::shared ? "shared" : "process";
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
    for (const Injection& injection : plan_.injections) {
      warn("a fault is injected on purpose: " + displayable(text_of(injection)));
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
    RunRequest request = runs_.request(group, k);
    request.injection = injection_for(plan_, request.name(), k);
    const fs::path directory = run_directory(plan_.directory, group.name, k);
    const RunRecord record = runs_.run(group, std::move(request), directory, number, total);
    if (&group == &plan_.groups.back() && record.status == RunStatus::finished) last_step_ = record.steps;
  }

  // One more run of the last group with a fault that must be found: one ULP in a weight at the last step.
  void prove(std::int64_t number, std::int64_t total) {
    const PlannedGroup& group = plan_.groups.back();
    RunRequest request = runs_.request(group, plan_.spec.audit.runs);
    const std::string weight = checked_model(plan_.spec, plan_.spec_folder).parameters.front().name;
    request.injection =
        Injection{request.name(), std::max<std::int64_t>(last_step_, 1), Phase::update, weight, 0, {}};
    if (request.trace == TraceLevel::none) request.trace = TraceLevel::steps;
    runs_.run(group, std::move(request), proof_directory(plan_.directory), number, total);
  }

  const AuditPlan& plan_;
  const bool overwrite_;
  AuditObserver& observer_;
  RunExecutor runs_;
  AuditHeader header_;
  bool begun_ = false;
  std::int64_t last_step_ = 0;  // of the last group's runs
};

}  // namespace

Execution execute(const AuditPlan& plan, const ExecuteOptions& options, AuditObserver& observer) {
  return Executor(plan, options, observer).run();
}

}  // namespace repro

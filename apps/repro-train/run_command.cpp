#include <algorithm>
#include <memory>

#include "audit_console.h"
#include "commands.h"
#include "console.h"
#include "exit_code.h"
#include "reports.h"
#include "repro/audit/assemble.h"
#include "repro/audit/execute.h"
#include "repro/audit/worker.h"
#include "repro/base/text.h"
#include "repro/report/report.h"
#include "run_options.h"
#include "signals.h"

namespace repro {
namespace {

constexpr const char* description =
    "Train N times under fixed seeds, compare every learnable bit by bit, report.\n"
    "'run' may be left out: repro-train --config FILE.";

// Where the audit goes: what the user named, else a new folder with a link `latest` beside it.
struct Destination {
  fs::path directory;
  fs::path shown;
  bool named = false;
};

Destination destination(const RunOptions& options, const std::string& name) {
  if (!options.out.empty()) return {fs::absolute(options.out), options.out, true};
  const fs::path directory = default_directory(name, utc_now());
  return {fs::absolute(directory), directory.parent_path() / "latest", false};
}

// Known before anything is trained.
void check_plot(const std::string& tensor, const AuditPlan& plan) {
  if (tensor.empty()) return;
  const std::vector<std::string> names = tensor_names(plan);
  if (std::ranges::find(names, tensor) != names.end()) return;
  const auto near = nearest(tensor, names);
  throw Error(ErrorKind::request, "--plot: there is no tensor '" + displayable(tensor) + "'",
              near ? "did you mean '" + *near + "'?" : "the tensors are " + join(names, ", "));
}

int say_interrupted(int signal, const fs::path& directory) {
  std::string message = "interrupted by signal " + std::to_string(signal) + "; all runs are ended";
  if (fs::exists(directory / "audit.json")) {
    message += "; what is finished is in " + displayable(directory.string());
  }
  print_error(message);
  return 128 + signal;
}

int run(const RunOptions& options, const std::vector<std::string>& argv) {
  apply(options.output);
  if (options.output.json && !options.plot.empty()) {
    throw Error(ErrorKind::request, "--plot draws on standard output, where --json allows nothing else",
                "leave one of them out");
  }
  AuditPlan plan = make_plan(options, argv);
  check_plot(options.plot, plan);
  const Destination place = destination(options, plan.spec.name);
  plan.directory = place.directory;
  check_plan(plan);
  check_output_directory(plan.directory, options.overwrite);
  const fs::path worker = find_worker();

  const SignalWatch signals;
  print_info("starting the worker " + displayable(worker.string()));
  ConsoleObserver observer(options.output);
  const Execution execution =
      execute(plan, {worker, options.overwrite, environment_variables(), signals.descriptor()}, observer);
  if (execution.interrupted) return say_interrupted(signals.received(), plan.directory);
  if (!place.named) update_latest(plan.directory);

  AuditResult audit = assemble(plan.directory, place.shown);
  const auto cut = write_differences(audit, plan.directory, csv_options(options.csv_rows));
  if (!cut.empty()) {  // on record, so that `report` says it again
    add_warnings(plan.directory, cut);
    audit = assemble(plan.directory, place.shown);
  }
  const Judgement judgement = judge(audit, options.compare.expectation());
  write_reports(audit, judgement, plan.directory);
  if (signals.received() != 0) return say_interrupted(signals.received(), plan.directory);
  show_audit(audit, judgement, options.output, options.plot);
  if (execution.worker_bug) return exit_bug;
  return judgement.exit_code == exit_identical && output_failed() ? exit_no_verdict : judgement.exit_code;
}

}  // namespace

Command add_run_command(CLI::App& app, const std::vector<std::string>& argv) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", description);
  add_run_options(*command, *options);
  return [options, argv] {
    const int code = exit_code_of([&] { return run(*options, argv); });
    return options->compare.bisect ? for_bisect(code) : code;
  };
}

}  // namespace repro

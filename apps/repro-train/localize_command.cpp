#include <memory>

#include "audit_console.h"
#include "commands.h"
#include "console.h"
#include "exit_code.h"
#include "reports.h"
#include "repro/audit/assemble.h"
#include "repro/audit/directory.h"
#include "repro/audit/localize.h"
#include "repro/audit/worker.h"
#include "repro/base/text.h"
#include "repro/report/report.h"
#include "signals.h"

namespace repro {
namespace {

struct LocalizeOptions {
  std::string directory;
  bool dump_first = false;
  OutputOptions output;
};

// The two versions of the first differing tensor under names of their own, and how to compare them.
void dump_first(const Localization& found, const fs::path& directory) {
  if (!found.tensor) {
    print_warning("--dump-first: there is no tensor to keep: " +
                  (found.tensor_note.empty() ? "the difference did not show again" : found.tensor_note));
    return;
  }
  const fs::path folder = directory / "localize";
  for (const auto& [from, to] : {std::pair(found.reference_file, folder / "reference.safetensors"),
                                 std::pair(found.candidate_file, folder / "candidate.safetensors")}) {
    write_file(to, read_file(from));
  }
}

int run(const LocalizeOptions& options) {
  apply(options.output);
  const fs::path directory = options.directory;
  const SignalWatch signals;
  ConsoleObserver observer(options.output);
  bool differs = false;
  try {
    const ExecuteOptions execute{find_worker(), false, environment_variables(), signals.descriptor()};
    differs = localize(directory, execute, observer);
  } catch (const Interrupted&) {
    print_error("interrupted by signal " + std::to_string(signals.received()) + "; all runs are ended");
    return 128 + signals.received();
  }
  const AuditResult audit = assemble(directory, directory);
  const Judgement judgement =
      judge(audit, read_header(directory).expect_different ? Expectation::different : Expectation::identical);
  write_reports(audit, judgement, directory);
  if (!differs) {
    print_result("nothing to localize: nothing in this audit differs\n");
    return output_failed() ? exit_no_verdict : exit_identical;
  }
  if (options.dump_first) dump_first(*audit.localization, directory);
  show_localization(audit, options.output, options.dump_first);
  return audit.localization->divergence ? exit_different : exit_no_verdict;
}

}  // namespace

Command add_localize_command(CLI::App& app) {
  auto options = std::make_shared<LocalizeOptions>();
  CLI::App* command =
      app.add_subcommand("localize",
                         "Repeat two runs of an audit that differ with operation traces, and find the first\n"
                         "operation whose inputs agree and whose outputs do not.");
  command->footer(
      "What is repeated goes into DIR/localize; verdict and counts of the audit stay as they\n"
      "are, its reports then show the operation. Exit code 1: found; 3: the difference did\n"
      "not show again in three attempts; 0: nothing in the audit differs.");
  command->add_option("DIR", options->directory, "Directory of the audit")->required();
  command->add_flag("--dump-first", options->dump_first,
                    "Keep the two versions of the first differing tensor as safetensors files in "
                    "DIR/localize, and compare them");
  add_output_options(*command, options->output);
  return [options] { return run(*options); };
}

}  // namespace repro

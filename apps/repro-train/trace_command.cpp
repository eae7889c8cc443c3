#include <algorithm>
#include <memory>
#include <optional>

#include "commands.h"
#include "compare_options.h"
#include "console.h"
#include "exit_code.h"
#include "repro/audit/trace_files.h"
#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/trace_report.h"

namespace repro {
namespace {

struct ShowOptions {
  std::string run, step;
  OutputOptions output;
};
struct DiffOptionsOfTraces {
  std::string reference, candidate;
  OutputOptions output;
};

std::optional<std::int64_t> step_number(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto step = parse_integer(text);
  if (!step || *step < 0) {
    throw Error(ErrorKind::request, "--step: found '" + displayable(text) +
                                        "', allowed is a whole number; 0 is the state after initialisation");
  }
  return step;
}

int show(const ShowOptions& options) {
  apply(options.output);
  const std::optional<std::int64_t> step = step_number(options.step);
  const Trace trace = read_trace_of(options.run);
  if (step && std::ranges::find(trace.records, *step, &TraceRecord::step) == trace.records.end()) {
    throw Error(ErrorKind::request,
                "--step: " + displayable(options.run) + " has no step " + std::to_string(*step),
                trace.records.empty() ? "it has no steps at all"
                                      : "it has steps " + std::to_string(trace.records.front().step) +
                                            " to " + std::to_string(trace.records.back().step));
  }
  (options.output.json ? render_trace_json : render_trace_text)(trace, options.run, step, print_result);
  return output_failed() ? exit_no_verdict : exit_identical;
}

int diff(const DiffOptionsOfTraces& options) {
  apply(options.output);
  const TraceDiff found = diff_traces(read_trace_of(options.reference), read_trace_of(options.candidate));
  if (options.output.json) {
    print_result(render_trace_diff_json(found, options.reference, options.candidate));
  } else if (options.output.quiet) {
    print_result(trace_verdict_line(found) + "\n");
  } else {
    print_result(render_trace_diff_text(found, options.reference, options.candidate));
  }
  const int code = exit_code_of(found.verdict);
  return code == exit_identical && output_failed() ? exit_no_verdict : code;
}

}  // namespace

Command add_trace_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("trace", "Print the fingerprints of a run, or compare those of two runs.");
  command->require_subcommand(1);
  CLI::App* shows = command->add_subcommand(
      "show",
      "Print every fingerprint of a training: of what, in which step, phase, layer and\n"
      "operation (operations only of runs made with --trace ops).");
  CLI::App* diffs = command->add_subcommand(
      "diff",
      "Find the first divergence of two trainings. Unequal streams of operations are\n"
      "aligned as by a line diff; like is compared with like.");
  const char* what = "A run of an audit, its trace.bin, or any trace.bin";
  auto show_options = std::make_shared<ShowOptions>();
  shows->add_option("RUN", show_options->run, what)->required();
  shows->add_option("--step", show_options->step, "This step only; 0 is the state after initialisation")
      ->type_name("N");
  shows->add_flag("--json", show_options->output.json, "Print JSON, and nothing else");
  auto diff_options = std::make_shared<DiffOptionsOfTraces>();
  diffs->add_option("REFERENCE", diff_options->reference, what)->required();
  diffs->add_option("CANDIDATE", diff_options->candidate, "The other one")->required();
  add_output_options(*diffs, diff_options->output);
  return [=] { return shows->parsed() ? show(*show_options) : diff(*diff_options); };
}

}  // namespace repro

#include <unistd.h>

#include <memory>

#include "commands.h"
#include "compare_options.h"
#include "console.h"
#include "exit_code.h"
#include "repro/audit/diff_files.h"
#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/environment/environment.h"
#include "repro/report/diff_report.h"
#include "run_options.h"
#include "status_line.h"

namespace repro {
namespace {

constexpr const char* description =
    "Compare checkpoints, every candidate with the reference: names, dtypes, shapes,\n"
    "values bit by bit, and what else a checkpoint holds (steps, learning rates).";

constexpr const char* footer =
    "Examples:\n"
    "  repro-train diff before.safetensors after.safetensors\n"
    "  repro-train diff a.pt b.pt --key model --ignore '*.num_batches_tracked'\n"
    "  repro-train diff a.pt b.safetensors --strip-prefix auto --compare ulp=4\n"
    "  repro-train diff run1/ run2/ --html report.html\n"
    "\n"
    "Exit codes: 0 identical, 1 different, 2 wrong request, 3 nothing to judge,\n"
    "4 a file is missing or damaged. Nothing in a file is ever executed.";

struct Options {
  std::string reference, candidate;
  std::vector<std::string> more;  // candidates
  std::string key, strip_prefix, csv, csv_rows, html, markdown, plot;
  bool tensors_only = false, sha256 = false;
  CompareOptions compare;
  OutputOptions output;
};

void check(const Options& options) {
  for (const std::string& argument : options.more) {
    if (argument.starts_with('-')) {
      throw Error(ErrorKind::request, "there is no option " + displayable(argument),
                  "see 'repro-train diff --help'; a file of that name is ./" + displayable(argument));
    }
  }
  const bool markdown_to_output = options.markdown == "-";
  if (options.output.json && (markdown_to_output || !options.plot.empty())) {
    throw Error(ErrorKind::request,
                std::string(markdown_to_output ? "--markdown -" : "--plot") +
                    " writes to standard output, where --json allows nothing else",
                "leave one of them out");
  }
  if (!options.csv_rows.empty() && options.csv.empty()) {
    throw Error(ErrorKind::request, "--csv-rows says what --csv DIR writes, but there is no --csv");
  }
}

// Known before anything is compared: an earlier comparison's files must not mix with this one's.
void check_csv_folder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code failure;
  const fs::file_status status = fs::status(folder, failure);
  if (status.type() == fs::file_type::not_found) return;
  if (status.type() != fs::file_type::directory) {
    throw Error(ErrorKind::request, "--csv: " + displayable(folder) + " is there and is no folder");
  }
  if (!fs::is_empty(folder, failure) || failure) {
    throw Error(ErrorKind::request, "--csv: the folder " + displayable(folder) + " is not empty",
                "name a new or an empty one");
  }
}

DiffRequest request_of(const Options& options) {
  DiffRequest request;
  request.paths = {options.reference, options.candidate};
  request.paths.insert(request.paths.end(), options.more.begin(), options.more.end());
  request.options.rule = parse_rule(options.compare.compare.empty() ? "bitwise" : options.compare.compare);
  request.options.filter = options.compare.filter();
  request.options.with_hashes = options.sha256;
  request.options.threads = static_cast<unsigned>(usable_cores());
  request.key = options.key;
  request.prefix = options.strip_prefix;
  request.tensors_only = options.tensors_only;
  return request;
}

DiffResult compare(const Options& options) {
  const OutputOptions& output = options.output;
  StatusLine line(!output.no_progress && !output.quiet && is_terminal(STDERR_FILENO),
                  color_on(output, STDERR_FILENO));
  std::uint64_t drawn = 0;
  return diff_files(request_of(options), [&](std::uint64_t done, std::uint64_t total) {
    if (!line.enabled() || (done - drawn) * 100 < total) return;  // a hundred times at most
    drawn = done;
    line.draw(progress_bar(static_cast<double>(done) / static_cast<double>(total), 20) + " compared " +
              human_bytes(done) + " of " + human_bytes(total));
  });
}

void write_files(const Options& options, const DiffResult& result) {
  if (!options.csv.empty()) {
    for (const std::string& note : write_diff_csv(result, options.csv, csv_options(options.csv_rows))) {
      print_warning(note);
    }
  }
  if (!options.html.empty()) write_file(options.html, render_diff_html(result));
  if (!options.markdown.empty() && options.markdown != "-") {
    write_file(options.markdown, render_diff_markdown(result));
  }
}

TextOptions text_options(const Options& options) {
  TextOptions text;
  text.width = std::min(terminal_width(STDOUT_FILENO), 120);
  text.color = color_on(options.output, STDOUT_FILENO);
  text.report_path = options.html;
  return text;
}

// Drawn before anything is written: the tensor may not be there.
std::string plots(const Options& options, const DiffResult& result) {
  std::string out;
  if (options.plot.empty()) return out;
  const TextOptions text = text_options(options);
  for (const DiffComparison& comparison : result.comparisons) {
    out += render_diff_plot(comparison, options.plot, text.width, text.color) + "\n";
  }
  return out;
}

void show(const Options& options, const DiffResult& result) {
  const OutputOptions& output = options.output;
  if (output.json) return write_diff_json(result, print_result);
  const TextOptions text = text_options(options);
  if (output.quiet) return print_result(result.verdict_line + "\n");
  print_result(options.markdown == "-" ? render_diff_markdown(result) : render_diff_text(result, text));
}

int diff(const Options& options) {
  apply(options.output);
  check(options);
  check_csv_folder(options.csv);
  const DiffResult result = compare(options);
  const std::string drawn = plots(options, result);
  write_files(options, result);
  result.check_unchanged();  // values were read once more
  print_result(drawn);
  show(options, result);
  const int code = exit_code_of(result.verdict, options.compare.expectation());
  return code == exit_identical && output_failed() ? exit_no_verdict : code;
}

void add_diff_options(CLI::App& command, Options& options) {
  command
      .add_option(
          "REFERENCE", options.reference,
          "A checkpoint: .safetensors, .pt/.pth, .npz, .npy, a sharded index.json, a folder of them, a "
          "run of an audit, or an audit; what it is is decided by its content")
      ->required();
  command.add_option("CANDIDATE", options.candidate, "What is compared with it; more may follow")->required();
  // Further candidates. As a vector CLI11 would take a file named "[a]" for a list and read "a".
  command.allow_extras();
  add_compare_options(command, options.compare);
  const char* group = "Checkpoints";
  command
      .add_option("--key", options.key, "Look only at this part of nested checkpoints, such as model.encoder")
      ->type_name("PATH")
      ->group(group);
  command
      .add_option(
          "--strip-prefix", options.strip_prefix,
          "Remove this from the beginning of names, such as 'module.'; auto finds what makes names match")
      ->type_name("PREFIX|auto")
      ->group(group);
  command
      .add_flag("--tensors-only", options.tensors_only,
                "Leave out what is no tensor: steps, learning rates, names")
      ->group(group);
  command.add_flag("--sha256", options.sha256, "Also the SHA-256 of every tensor")->group(group);
  const char* results = "Results";
  command.add_option("--csv", options.csv, "Write tensors.csv and a CSV and a plot of each differing tensor")
      ->type_name("DIR")
      ->group(results);
  command
      .add_option("--csv-rows", options.csv_rows,
                  "Rows of the CSV files of tensors (default: all of those that differ, up to 1,000,000)")
      ->check(CLI::IsMember({"all", "different", "none"}))
      ->type_name("all|different|none")
      ->group(results);
  command.add_option("--html", options.html, "Write a report in one HTML file")
      ->type_name("FILE")
      ->group(results);
  command.add_option("--markdown", options.markdown, "Write a report in Markdown; - prints it")
      ->type_name("FILE|-")
      ->group(results);
  command
      .add_option("--plot", options.plot,
                  "Also draw a tensor's differences in the terminal, such as conv1.weight")
      ->type_name("TENSOR")
      ->group(results);
  add_output_options(command, options.output);
}

}  // namespace

Command add_diff_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("diff", description);
  command->footer(footer);
  add_diff_options(*command, *options);
  return [options, command] {
    options->more = command->remaining();
    const int code = exit_code_of([&] { return diff(*options); });
    return options->compare.bisect ? for_bisect(code) : code;
  };
}

}  // namespace repro

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "commands.h"
#include "console.h"
#include "exit_code.h"
#include "help.h"
#include "repro/environment/environment.h"

namespace repro {
namespace {

constexpr const char* description =
    "Trains a network several times under fixed seeds and says whether the weights\n"
    "are the same, bit for bit, and if not, where the runs parted.";

constexpr const char* footer =
    "Examples:\n"
    "  repro-train --config digits.json          two deterministic runs, compared\n"
    "  repro-train --config digits.json --both   with determinism off, then on\n"
    "  repro-train --config digits.json --runs 5 --set /training/epochs=1\n"
    "  repro-train diff a.safetensors b.pt       compare two checkpoints, bit by bit\n"
    "  repro-train spec show digits.json         the spec with every default\n"
    "\n"
    "Exit codes: 0 identical, 1 different, 2 wrong request or spec, 3 no verdict\n"
    "(a run failed, nothing was compared, no such device), 4 missing or damaged file,\n"
    "5 bug, 130 interrupted. 'repro-train COMMAND --help' explains a command.";

// "run" may be left out: a command line that begins with an option means it.
void insert_run(std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0].empty() || arguments[0][0] != '-') return;
  for (const char* global : {"-h", "--help", "--version"}) {
    if (arguments[0] == global) return;
  }
  arguments.insert(arguments.begin(), "run");
}

// Output and exit code of what CLI11 throws: help and version are no errors, all else is a wrong request.
int report_parse_end(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    std::ostringstream out;
    app.exit(error, out, out);
    print_result(out.str());
    return exit_identical;
  }
  print_error(std::string(error.what()) + "; see 'repro-train --help'");
  return exit_request;
}

}  // namespace

int run_command_line(std::vector<std::string> argv) {
  CLI::App app(description, "repro-train");
  app.formatter(std::make_shared<HelpFormatter>());  // subcommands inherit it, as they do the footer
  app.footer(footer);
  app.set_version_flag("--version", "repro-train " + build_identity(), "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);

  std::map<std::string, Command> commands;
  commands["run"] = add_run_command(app, argv);
  commands["diff"] = add_diff_command(app);
  commands["inspect"] = add_inspect_command(app);
  commands["localize"] = add_localize_command(app);
  commands["trace"] = add_trace_command(app);
  commands["report"] = add_report_command(app);
  commands["spec"] = add_spec_command(app);

  std::vector<std::string> arguments(argv.begin() + (argv.empty() ? 0 : 1), argv.end());
  if (arguments.empty()) {
    print_error("no command and no --config given\n\n" + app.help());
    return exit_request;
  }
  insert_run(arguments);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes them last first
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return report_parse_end(app, error);
  }
  return commands.at(app.get_subcommands().front()->get_name())();
}

}  // namespace repro

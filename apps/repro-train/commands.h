#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace repro {

// The whole program behind main(): argv to exit code. Throws what a command throws.
int run_command_line(std::vector<std::string> argv);

// What a subcommand does once the command line is parsed.
using Command = std::function<int()>;

// Each adds its subcommand to `app` and gives what it does. The options that it fills live as long as the
// result. `argv` is the whole command line, for the record.
Command add_run_command(CLI::App& app, const std::vector<std::string>& argv);
Command add_report_command(CLI::App& app);
Command add_diff_command(CLI::App& app);
Command add_inspect_command(CLI::App& app);
Command add_localize_command(CLI::App& app);
// trace show | diff
Command add_trace_command(CLI::App& app);
// spec check | show | schema
Command add_spec_command(CLI::App& app);

}  // namespace repro

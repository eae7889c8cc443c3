#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "repro/compare/diff.h"
#include "repro/gate/gate.h"

namespace repro {

// Options that every comparing command shares.
struct CompareOptions {
  std::string compare;  // "" = not given
  std::vector<std::string> only, ignore;
  std::string scope = "all";
  std::string expect = "identical";
  bool bisect = false;

  Filter filter() const;
  Expectation expectation() const;
};
// --only and --ignore.
void add_name_filter(CLI::App& command, std::vector<std::string>& only, std::vector<std::string>& ignore,
                     const char* group);
void add_compare_options(CLI::App& command, CompareOptions& options);

// How a command looks on a terminal.
struct OutputOptions {
  bool json = false, quiet = false, verbose = false, no_progress = false;
  std::string color = "auto";
};
void add_output_options(CLI::App& command, OutputOptions& options);
// Sets the verbosity of the log.
void apply(const OutputOptions& options);
bool color_on(const OutputOptions& options, int descriptor);

}  // namespace repro

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compare_options.h"
#include "repro/audit/plan.h"
#include "repro/report/report.h"
#include "repro/spec/override.h"

namespace repro {

// The options of `run`, as given.
struct RunOptions {
  std::string config;
  std::vector<std::string> set;
  std::string runs, seed, threads;  // kept as text: the spec's own checks name what is allowed
  bool deterministic = false, nondeterministic = false, both = false;
  std::string determinism, device, engine, isolation;
  std::string trace = "steps", save, out, csv_rows, plot;
  std::vector<std::string> inject;
  bool overwrite = false, prove = false;
  CompareOptions compare;
  OutputOptions output;
};
void add_run_options(CLI::App& command, RunOptions& options);

// A spec file with its overrides; "-" is standard input, relative to the working directory.
struct LoadedSpec {
  Spec spec;
  std::string folder;  // absolute: relative data paths start here
};
LoadedSpec load_spec(const std::string& file, std::vector<Override> overrides);
std::vector<Override> parse_overrides(const std::vector<std::string>& set);

// Decodes the spec with --set and the options laid over it (an option wins over --set). SpecError whose
// mistakes name the option that a wrong value came from. The directory is left open.
AuditPlan make_plan(const RunOptions& options, const std::vector<std::string>& argv);

CsvOptions csv_options(const std::string& rows);  // the value of --csv-rows

}  // namespace repro

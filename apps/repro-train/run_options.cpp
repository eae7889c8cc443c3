#include "run_options.h"

#include <filesystem>
#include <iostream>
#include <iterator>

#include "repro/base/text.h"
#include "repro/spec/decode.h"

namespace repro {
namespace {

void add_training_options(CLI::App& command, RunOptions& o) {
  const char* group = "Training";
  command.add_option("--config", o.config, "The experiment spec, a JSON file; '-' is standard input")
      ->type_name("FILE")
      ->required()
      ->group(group);
  command
      .add_option("--runs", o.runs,
                  "Trainings per group, one after the other, 2 to 10000 (default: spec, else 2)")
      ->type_name("N")
      ->group(group);
  CLI::Option* on = command.add_flag("--deterministic", o.deterministic,
                                     "One group with deterministic algorithms (the default)");
  CLI::Option* off = command.add_flag("--nondeterministic", o.nondeterministic,
                                      "One group with the library's default algorithms");
  CLI::Option* both =
      command.add_flag("--both", o.both, "Both groups, the default one first; the deterministic one decides");
  CLI::Option* mode =
      command
          .add_option("--determinism", o.determinism,
                      "The same as one option; warn: a group that only warns of operations without a "
                      "deterministic implementation, and collects the alerts")
          ->check(CLI::IsMember({"on", "off", "both", "warn"}))
          ->type_name("on|off|both|warn");
  for (CLI::Option* option : {on, off, both, mode}) option->group(group);
  on->excludes(off)->excludes(both)->excludes(mode);
  off->excludes(both)->excludes(mode);
  both->excludes(mode);
  command
      .add_option("--device", o.device,
                  "auto takes a GPU if there is one; a device that is named is never replaced")
      ->type_name("auto|cpu|cuda|cuda:K")
      ->group(group);
  command.add_option("--engine", o.engine, "Who computes (default: spec, else libtorch)")
      ->type_name("libtorch")
      ->group(group);
  command.add_option("--seed", o.seed, "Sets seed.cpu, seed.gpu and seed.data, 0 to 4294967295")
      ->type_name("N")
      ->group(group);
  command.add_option("--threads", o.threads, "CPU threads of a run; 0 = the cores that this process may use")
      ->type_name("N")
      ->group(group);
  command
      .add_option("--isolation", o.isolation,
                  "A process for each run, or all runs of all groups one after the other in one process")
      ->type_name("process|shared")
      ->group(group);
  command
      .add_option("--trace", o.trace,
                  "What is fingerprinted while training: states after each step, or every operation as "
                  "well (default: steps)")
      ->check(CLI::IsMember({"none", "steps", "ops"}))
      ->type_name("none|steps|ops")
      ->group(group);
  command
      .add_option("--set", o.set,
                  "Override a value of the spec, such as /training/epochs=1 or '/name=\"x\"'; repeatable")
      ->type_name("/POINTER=JSON")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
}

void add_proof_options(CLI::App& command, RunOptions& o) {
  const char* group = "Proving the audit";
  command
      .add_flag("--prove", o.prove,
                "One more run with a fault of one ULP in a weight at the last step: it must be found, else "
                "exit 5; it never counts for the verdict")
      ->group(group);
  command
      .add_option("--inject", o.inject,
                  "Change one number of one run on purpose, such as 1,12,backward,conv1.weight,5,ulp=1 or "
                  "1,3,forward,conv1/aten::convolution,bit=0; repeatable")
      ->type_name("RUN,STEP,PHASE,TENSOR-OR-OP[,INDEX],CHANGE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
}

void add_result_options(CLI::App& command, RunOptions& o) {
  const char* group = "Results";
  command
      .add_option("--out", o.out,
                  "Directory of the audit, new or empty (default: repro-out/<name>/<UTC time>)")
      ->type_name("DIR")
      ->group(group);
  command.add_flag("--overwrite", o.overwrite, "Replace an earlier audit in --out; nothing else is removed")
      ->group(group);
  command.add_option("--save", o.save, "Also keep the optimiser's state")
      ->check(CLI::IsMember({"optimizer"}))
      ->type_name("optimizer")
      ->group(group);
  command
      .add_option("--csv-rows", o.csv_rows,
                  "Rows of the CSV files of tensors (default: all, up to 1,000,000 in a comparison)")
      ->check(CLI::IsMember({"all", "different", "none"}))
      ->type_name("all|different|none")
      ->group(group);
  command
      .add_option("--plot", o.plot, "Also draw a tensor's differences in the terminal, such as conv1.weight")
      ->type_name("TENSOR")
      ->group(group);
}

// An option that is one value of the spec: where it goes, and what it says. Words are quoted for JSON.
struct OptionValue {
  const char* option;
  const char* pointer;
  std::string text;
  bool word;
};

std::string determinism_mode(const RunOptions& o) {
  if (o.deterministic) return "on";
  if (o.nondeterministic) return "off";
  return o.both ? "both" : o.determinism;
}

std::vector<OptionValue> option_values(const RunOptions& o) {
  return {{"--runs", "/audit/runs", o.runs, false},
          {"--determinism", "/audit/determinism", determinism_mode(o), true},
          {"--device", "/execution/device", o.device, true},
          {"--engine", "/execution/engine", o.engine, true},
          {"--seed", "/seed/cpu", o.seed, false},
          {"--seed", "/seed/gpu", o.seed, false},
          {"--seed", "/seed/data", o.seed, false},
          {"--threads", "/execution/threads", o.threads, false},
          {"--isolation", "/audit/isolation", o.isolation, true},
          {"--compare", "/audit/compare", o.compare.compare, true}};
}

std::string json_string(const std::string& word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return out + '"';
}

// "/audit/runs: 1 is out of range" -> "--runs: 1 is out of range" where the value came from the option.
[[noreturn]] void rethrow_naming_options(const SpecError& error, const std::vector<OptionValue>& values) {
  std::vector<std::string> mistakes;
  for (const std::string& mistake : error.mistakes()) {
    std::string renamed = mistake;
    for (const OptionValue& value : values) {
      const std::string prefix = std::string(value.pointer) + ":";
      if (!value.text.empty() && mistake.starts_with(prefix)) {
        renamed = std::string(value.option) + mistake.substr(prefix.size() - 1);
      }
    }
    if (mistakes.empty() || mistakes.back() != renamed) mistakes.push_back(renamed);
  }
  throw SpecError(mistakes,
                  std::max(error.total() - error.mistakes().size() + mistakes.size(), mistakes.size()));
}

// A number stays as typed, so that the spec's checks can speak of it; anything else would not be JSON.
Override as_override(const OptionValue& value) {
  if (value.word) return {value.pointer, json_string(value.text)};
  const bool number = value.text.find_first_not_of("0123456789-+.eE") == std::string::npos;
  if (!number || value.text.starts_with('+')) {
    throw Error(ErrorKind::request, std::string(value.option) + ": expected a whole number, found '" +
                                        displayable(value.text) + "'");
  }
  try {
    return parse_override(std::string(value.pointer) + "=" + value.text);
  } catch (const Error&) {
    throw Error(ErrorKind::request, std::string(value.option) + ": expected a whole number, found '" +
                                        displayable(value.text) + "'");
  }
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  add_training_options(command, options);
  add_compare_options(command, options.compare);
  add_proof_options(command, options);
  add_result_options(command, options);
  add_output_options(command, options.output);
}

std::vector<Override> parse_overrides(const std::vector<std::string>& set) {
  std::vector<Override> out;
  for (const std::string& text : set) out.push_back(parse_override(text));
  return out;
}

LoadedSpec load_spec(const std::string& file, std::vector<Override> overrides) {
  if (file == "-") {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    return {decode_spec(text, "spec", overrides), fs::current_path().string()};
  }
  const fs::path path = file;
  return {decode_spec(read_text_file(path), path.stem().string(), overrides),
          fs::absolute(path).parent_path().string()};
}

AuditPlan make_plan(const RunOptions& options, const std::vector<std::string>& argv) {
  std::vector<Override> overrides = parse_overrides(options.set);
  const std::vector<OptionValue> values = option_values(options);
  for (const OptionValue& value : values) {
    if (!value.text.empty()) overrides.push_back(as_override(value));
  }
  AuditPlan plan;
  try {
    const LoadedSpec loaded = load_spec(options.config, overrides);
    plan.spec = loaded.spec;
    plan.spec_folder = loaded.folder;
  } catch (const SpecError& error) {
    rethrow_naming_options(error, values);
  }
  plan.groups = planned_groups(plan.spec.audit.determinism);
  plan.trace = trace_level_named(options.trace).value();  // the option's check knows them all
  plan.prove = options.prove;
  for (const std::string& text : options.inject) {
    plan.injections.push_back(parse_injection(text, "--inject"));
  }
  plan.save_optimizer = options.save == "optimizer";
  plan.rule = parse_rule(plan.spec.audit.compare);
  plan.filter = options.compare.filter();
  plan.expect_different = options.compare.expectation() == Expectation::different;
  plan.argv = argv;
  return plan;
}

CsvOptions csv_options(const std::string& rows) {
  CsvOptions csv;
  csv.explicit_rows = rows == "all";
  if (rows == "different") csv.rows = CsvRows::different;
  if (rows == "none") csv.rows = CsvRows::none;
  return csv;
}

}  // namespace repro

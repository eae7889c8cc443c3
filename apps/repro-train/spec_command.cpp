#include <unistd.h>

#include <limits>
#include <memory>
#include <optional>

#include "commands.h"
#include "console.h"
#include "exit_code.h"
#include "repro/base/text.h"
#include "repro/spec/decode.h"
#include "run_options.h"
#include "spec_determinism.h"

namespace repro {
namespace {

struct SpecOptions {
  std::string file;
  std::vector<std::string> set;
  bool determinism = false;  // check only, as what follows
  std::optional<std::string> device;
};

void add_spec_options(CLI::App& command, SpecOptions& options) {
  command.add_option("FILE", options.file, "The spec; '-' is standard input")->required();
  command.add_option("--set", options.set, "Override a value, as for 'run'; repeatable")
      ->type_name("/POINTER=JSON")
      ->expected(1)
      ->take_all();
}

void add_check_options(CLI::App& command, SpecOptions& options) {
  CLI::Option* determinism =
      command.add_flag("--determinism", options.determinism,
                       "Also list what is known about every pass: deterministic or not, why, and what helps");
  command
      .add_option("--device", options.device,
                  "Where, with --determinism (default: the spec's device; cpu if that is auto)")
      ->type_name("cpu|cuda|cuda:K")
      ->needs(determinism);
}

LoadedSpec load(const SpecOptions& options) { return load_spec(options.file, parse_overrides(options.set)); }

void check(const SpecOptions& options) {
  if (options.device) check_device_option(*options.device);
  const LoadedSpec loaded = load(options);
  parse_rule(loaded.spec.audit.compare);
  const Model model = checked_model(loaded.spec, loaded.folder);
  print_result(displayable(options.file) + ": valid (" + displayable(loaded.spec.name) + ": " +
               plural(static_cast<std::int64_t>(model.layers.size()), "layer") + ", " +
               plural(static_cast<std::int64_t>(model.parameters.size()), "learnable tensor") + ", " +
               plural(static_cast<std::int64_t>(learnable_count(model)), "value") + ")\n");
  if (!options.determinism) return;
  const int width =
      is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : std::numeric_limits<int>::max();
  print_result(determinism_text(model, loaded.spec, training_place(loaded.spec, options.device), width));
}

int finished() { return output_failed() ? exit_no_verdict : exit_identical; }

}  // namespace

Command add_spec_command(CLI::App& app) {
  CLI::App* spec =
      app.add_subcommand("spec", "Validate a spec, show it with its defaults, print its schema.");
  spec->require_subcommand(1);
  auto options = std::make_shared<SpecOptions>();
  CLI::App* checks = spec->add_subcommand("check", "Validate a spec: all of its mistakes are listed.");
  CLI::App* show = spec->add_subcommand("show", "Print a spec with every default filled in.");
  CLI::App* schema = spec->add_subcommand("schema", "Print the JSON Schema of specs, for editors.");
  add_spec_options(*checks, *options);
  add_spec_options(*show, *options);
  add_check_options(*checks, *options);
  return [=] {
    if (schema->parsed()) {
      print_result(spec_schema());
    } else if (show->parsed()) {
      print_result(encode_spec(load(*options).spec));
    } else {
      check(*options);
    }
    return finished();
  };
}

}  // namespace repro

#include <memory>

#include "commands.h"
#include "console.h"
#include "exit_code.h"
#include "repro/base/text.h"
#include "repro/spec/decode.h"
#include "run_options.h"

namespace repro {
namespace {

struct SpecOptions {
  std::string file;
  std::vector<std::string> set;
};

void add_spec_options(CLI::App& command, SpecOptions& options) {
  command.add_option("FILE", options.file, "The spec; '-' is standard input")->required();
  command.add_option("--set", options.set, "Override a value, as for 'run'; repeatable")
      ->type_name("/POINTER=JSON")
      ->expected(1)
      ->take_all();
}

LoadedSpec load(const SpecOptions& options) { return load_spec(options.file, parse_overrides(options.set)); }

int check(const SpecOptions& options) {
  const LoadedSpec loaded = load(options);
  parse_rule(loaded.spec.audit.compare);
  const Model model = checked_model(loaded.spec, loaded.folder);
  print_result(displayable(options.file) + ": valid (" + displayable(loaded.spec.name) + ": " +
               plural(static_cast<std::int64_t>(model.layers.size()), "layer") + ", " +
               plural(static_cast<std::int64_t>(model.parameters.size()), "learnable tensor") + ", " +
               plural(static_cast<std::int64_t>(learnable_count(model)), "value") + ")\n");
  return exit_identical;
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

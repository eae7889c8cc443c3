#include "compare_options.h"

#include "console.h"

namespace repro {

Filter CompareOptions::filter() const {
  Filter filter;
  filter.only = only;
  filter.ignore = ignore;
  if (scope == "learnables") filter.scope = Filter::Scope::learnables;
  if (scope == "buffers") filter.scope = Filter::Scope::buffers;
  return filter;
}

Expectation CompareOptions::expectation() const {
  return expect == "different" ? Expectation::different : Expectation::identical;
}

void add_name_filter(CLI::App& command, std::vector<std::string>& only, std::vector<std::string>& ignore,
                     const char* group) {
  // One value each time it is given; without allow_extra_args(false) CLI11 would take "[ab]" for a list.
  const auto add = [&](const char* name, std::vector<std::string>& globs, const char* text) {
    command.add_option(name, globs, text)
        ->type_name("GLOB")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->group(group);
  };
  add("--only", only, "Only tensors whose name matches; repeatable");
  add("--ignore", ignore, "Leave tensors out whose name matches; repeatable");
}

void add_compare_options(CLI::App& command, CompareOptions& options) {
  const char* group = "Comparing";
  command
      .add_option("--compare", options.compare,
                  "Rule of the verdict: bitwise, value (-0 equals +0, NaN equals NaN), ulp=N, or "
                  "tolerance=R,A (default: bitwise)")
      ->type_name("RULE")
      ->group(group);
  add_name_filter(command, options.only, options.ignore, group);
  command.add_option("--scope", options.scope, "What counts (default: all)")
      ->check(CLI::IsMember({"all", "learnables", "buffers"}))
      ->type_name("all|learnables|buffers")
      ->group(group);
  command
      .add_option("--expect", options.expect,
                  "Which verdict is exit code 0; 'different' is for negative gates (default: identical)")
      ->check(CLI::IsMember({"identical", "different"}))
      ->type_name("identical|different")
      ->group(group);
  command.add_flag("--bisect", options.bisect, "Exit codes 3 and 4 become 125, for 'git bisect run'")
      ->group(group);
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  const char* group = "Output";
  command.add_flag("--json", options.json, "Print the JSON report, and nothing else, on standard output")
      ->group(group);
  CLI::Option* quiet =
      command.add_flag("-q,--quiet", options.quiet, "Print the verdict line alone")->group(group);
  command.add_flag("-v,--verbose", options.verbose, "Say on standard error what is being done")
      ->excludes(quiet)
      ->group(group);
  command.add_flag("--no-progress", options.no_progress, "No progress line, not even on a terminal")
      ->group(group);
  command
      .add_option("--color", options.color, "Colours (default: auto, on a terminal; NO_COLOR is honoured)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("auto|always|never")
      ->group(group);
}

void apply(const OutputOptions& options) {
  set_verbosity(options.quiet ? Verbosity::quiet : options.verbose ? Verbosity::verbose : Verbosity::normal);
}

bool color_on(const OutputOptions& options, int descriptor) {
  const Color color = options.color == "always"  ? Color::always
                      : options.color == "never" ? Color::never
                                                 : Color::automatic;
  return use_color(color, descriptor);
}

}  // namespace repro

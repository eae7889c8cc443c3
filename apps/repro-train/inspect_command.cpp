#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "commands.h"
#include "compare_options.h"
#include "console.h"
#include "exit_code.h"
#include "repro/audit/diff_side.h"
#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/environment/environment.h"
#include "repro/report/inspection.h"

namespace repro {
namespace {

constexpr const char* description =
    "List the tensors of a checkpoint with dtype, shape, size and fingerprint, or print\n"
    "the values of one.";

struct InspectOptions {
  std::string file, tensor, key;
  std::vector<std::string> only, ignore;
  std::string values = "1000";
  bool sha256 = false, lines = false;
  OutputOptions output;
};

std::uint64_t value_limit(const std::string& text) {
  if (text == "all") return std::numeric_limits<std::uint64_t>::max();
  const auto limit = parse_unsigned(text);
  if (!limit) {
    throw Error(ErrorKind::request,
                "--values: found '" + displayable(text) + "', allowed are a whole number and 'all'");
  }
  return *limit;
}

const Item& item_named(const OpenedSide& side, const std::string& name) {
  const auto found = std::ranges::find(side.items, SharedText(name), &Item::name);
  if (found == side.items.end()) {
    std::vector<std::string> names;
    for (const Item& item : side.items) names.push_back(item.name);
    const auto near = nearest(name, names);
    throw Error(ErrorKind::request, displayable(side.name) + " has no tensor '" + displayable(name) + "'",
                near ? "did you mean '" + displayable(*near) + "'?"
                     : "repro-train inspect " + displayable(side.name) + " lists them");
  }
  if (!found->not_compared_reason.empty()) {
    throw Error(ErrorKind::input, displayable(side.name) + ": tensor '" + displayable(name) +
                                      "' cannot be read: " + displayable(found->not_compared_reason));
  }
  return *found;
}

int finish() { return output_failed() ? exit_no_verdict : exit_identical; }

unsigned all_cores() { return static_cast<unsigned>(usable_cores()); }

int print_values(const InspectOptions& options, const OpenedSide& side, Inspection inspection) {
  const std::uint64_t limit = value_limit(options.values);
  const InspectedItem inspected = inspect(item_named(side, options.tensor), options.sha256, all_cores());
  if (options.output.json) {
    render_values_json(inspection, inspected, limit, print_result);
  } else {
    render_values_text(inspected, limit, print_result);
  }
  side.check_unchanged();
  return finish();
}

int inspect_file(const InspectOptions& options) {
  apply(options.output);
  const fs::path path = options.file;
  if (kind_of_path(path) == PathKind::audit) {
    throw Error(
        ErrorKind::request, displayable(options.file) + " is an audit, not a checkpoint",
        "name one of its runs, such as " + displayable((path / "runs" / run_names(path).front()).string()));
  }
  OpenOptions open;
  open.key = options.key;
  const std::shared_ptr<OpenedSide> side = open_side(path, options.file, open);
  Inspection inspection;
  inspection.file = side->name;
  inspection.format = side->format;
  inspection.metadata = side->metadata;
  inspection.remarks = side->remarks;
  if (!options.tensor.empty()) return print_values(options, *side, std::move(inspection));
  const Filter filter{options.only, options.ignore};
  for (const Item& item : side->items) {
    if (!filter.admits(item.name, item.role)) continue;
    inspection.items.push_back(inspect(item, options.sha256, all_cores()));
  }
  side->check_unchanged();
  TextOptions text;
  text.width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : std::numeric_limits<int>::max();
  print_result(options.output.json ? render_inspection_json(inspection)
               : options.lines     ? render_inspection_lines(inspection)
                                   : render_inspection_text(inspection, text));
  return finish();
}

}  // namespace

Command add_inspect_command(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", description);
  command->footer(
      "Examples:\n"
      "  repro-train inspect model.safetensors\n"
      "  repro-train inspect checkpoint.pt --key model_state_dict --json\n"
      "  repro-train inspect model.npz conv1.weight --values all");
  command
      ->add_option(
          "FILE", options->file,
          "A checkpoint: .safetensors, .pt/.pth, .npz, .npy, an index of shards, a folder of them, or "
          "a run of an audit; what it is is decided by its content")
      ->required();
  command->add_option("TENSOR", options->tensor, "Print the values of this tensor");
  const char* group = "Inspecting";
  command
      ->add_option("--key", options->key,
                   "Look only at this part of a nested checkpoint, such as model.encoder")
      ->type_name("PATH")
      ->group(group);
  add_name_filter(*command, options->only, options->ignore, group);
  command->add_flag("--sha256", options->sha256, "Also the SHA-256 of every tensor's row-major bytes")
      ->group(group);
  command->add_option("--values", options->values, "With TENSOR: how many values to print (default: 1000)")
      ->type_name("N|all")
      ->group(group);
  CLI::Option* lines =
      command
          ->add_flag("--lines", options->lines,
                     "One line an entry, fields separated by tabs, sorted by name: for git diff and scripts")
          ->group(group);
  command->add_flag("--json", options->output.json, "Print JSON, and nothing else")
      ->excludes(lines)
      ->group("Output");
  return [options] { return inspect_file(*options); };
}

}  // namespace repro

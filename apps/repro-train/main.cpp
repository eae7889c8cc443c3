#include "commands.h"
#include "console.h"
#include "exit_code.h"

// Parses, dispatches, and maps every error to an exit code: the only place that does.
int main(int argc, char** argv) {
  repro::prepare_standard_descriptors();
  return repro::exit_code_of([&] { return repro::run_command_line({argv, argv + argc}); });
}

#include "audit_console.h"

#include <unistd.h>

#include "console.h"
#include "repro/base/text.h"

namespace repro {

std::map<std::string, std::string> environment_variables() {
  std::map<std::string, std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

ConsoleObserver::ConsoleObserver(const OutputOptions& output)
    : results_(!output.json && !output.quiet),
      progress_(!output.no_progress && !output.quiet && is_terminal(STDERR_FILENO),
                color_on(output, STDERR_FILENO)) {}

void ConsoleObserver::on_device(const std::string& device_line) {
  if (!results_) return;
  progress_.clear();
  print_result(device_line + "\n");
}

void ConsoleObserver::on_run_started(const std::string& run, std::int64_t number, std::int64_t total) {
  print_info("run " + std::to_string(number) + " of " + std::to_string(total) + ": " + run);
  progress_.run_started(run, number, total);
}

void ConsoleObserver::on_run_ended(const RunRecord& record) {
  progress_.clear();
  if (record.status == RunStatus::finished) {
    print_info(record.name + ": " + plural(record.steps, "step") + " in " + human_duration(record.seconds));
  } else {
    print_warning(record.name + " failed: " + record.message);
  }
}

void ConsoleObserver::on_warning(const std::string& message) {
  progress_.clear();
  print_warning(message);
}

}  // namespace repro

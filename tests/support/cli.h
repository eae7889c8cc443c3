#pragma once

#include <map>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/process/process.h"
#include "support/temporary_folder.h"

namespace repro {

struct CliResult {
  int code = -1;  // 128 + signal if it was killed
  std::string out, err;
};

// A command of repro-train as a user starts it, in `folder`; standard input is empty unless given.
class Cli {
 public:
  explicit Cli(const fs::path& folder, std::map<std::string, std::string> environment = {})
      : folder_(folder), environment_(std::move(environment)) {}

  CliResult operator()(const std::vector<std::string>& arguments, const std::string& input = {}) const {
    write_file(folder_ / "stdin", input);
    Process process(options("exec \"$0\" \"$@\" <stdin >stdout 2>stderr", arguments));
    const ExitStatus status = process.wait();
    return {status.signalled ? 128 + status.signal : status.code, read_text_file(folder_ / "stdout"),
            read_text_file(folder_ / "stderr")};
  }

  // Options of a shell line with the program as "$0" and its arguments as "$@".
  ProcessOptions options(const std::string& shell_line, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"/bin/sh", "-c", shell_line, REPRO_BIN_DIR "/repro-train"});
    return {std::move(arguments), environment_, {"REPRO_WORKER_PORTABLE"}, folder_, folder_ / "shell.log"};
  }

 private:
  fs::path folder_;
  std::map<std::string, std::string> environment_;
};

inline std::string config(const std::string& name) {
  return std::string(REPRO_SOURCE_DIR) + "/configs/" + name;
}

inline std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace repro

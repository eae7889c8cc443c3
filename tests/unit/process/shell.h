#pragma once

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "repro/base/error.h"
#include "repro/process/process.h"
#include "support/temporary_folder.h"

namespace repro {

// No test measures time: a guard this long only turns a hang into a failure.
inline constexpr int guard_ms = 60'000;

inline ProcessOptions shell(const std::string& script) {
  ProcessOptions options;
  options.argv = {"/bin/sh", "-c", script};
  return options;
}

// All lines on the events pipe up to its end.
inline std::vector<std::string> all_lines(Process& process) {
  std::vector<std::string> out;
  std::string line;
  for (;;) {
    switch (process.next_line(line, guard_ms, -1)) {
      case Process::Wait::line: out.push_back(line); break;
      case Process::Wait::ended: return out;
      case Process::Wait::timeout: throw std::runtime_error("no line within the guard");
      case Process::Wait::interrupted: throw std::runtime_error("interrupted");
    }
  }
}

inline std::vector<std::string> lines_of(const std::string& script) {
  Process process(shell(script));
  return all_lines(process);
}

inline std::string one_line(Process& process) {
  std::string line;
  if (process.next_line(line, guard_ms, -1) != Process::Wait::line) {
    throw std::runtime_error("no line");
  }
  return line;
}

// Tells whether any process still holds the writing end of a named pipe.
class Lifeline {
 public:
  explicit Lifeline(const fs::path& path) {
    if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no named pipe");
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  }
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;
  ~Lifeline() { ::close(descriptor_); }
  // Waits up to timeout_ms for the last holder to end. Precondition: somebody has opened the pipe.
  bool is_cut(int timeout_ms) const {
    pollfd wanted = {descriptor_, POLLIN, 0};
    return ::poll(&wanted, 1, timeout_ms) == 1 && (wanted.revents & POLLHUP) != 0;
  }

 private:
  int descriptor_ = -1;
};

}  // namespace repro

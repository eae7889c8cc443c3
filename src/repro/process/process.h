#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/base/files.h"
#include "repro/process/descriptor.h"
#include "repro/process/line_buffer.h"

namespace repro {

// How a child ended.
struct ExitStatus {
  bool signalled = false;
  int code = 0;    // exit status, if not signalled
  int signal = 0;  // if signalled
  // ru_maxrss of the child and its waited-for descendants; at least what this process held when it forked.
  std::uint64_t peak_memory_bytes = 0;
  bool success() const { return !signalled && code == 0; }
};
std::string describe(const ExitStatus& status);  // "exited with status 3", "was killed by signal 9 (SIGKILL)"

struct ProcessOptions {
  // argv[0]: the program, looked up in the PATH that the child gets if it has no slash. Relative names
  // start in working_directory. A script needs its "#!" line: no shell is tried.
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // added to ours; replaces
  std::vector<std::string> unset;                  // variables removed from ours
  std::optional<fs::path> working_directory;
  std::optional<fs::path> output;  // standard output and error go there (created, appended); else /dev/null
};

// A child in a process group of its own, with a pipe to its standard input and an events pipe from its
// descriptor 3; it inherits no other descriptor, and its signals are unblocked and at their defaults. The
// destructor ends the group (kill) and waits: no orphan is left behind. If the thread that made the
// object ends, or this process dies, the child gets SIGKILL (PR_SET_PDEATHSIG); its own children then
// notice only through their pipes. Not thread-safe.
class Process {
 public:
  // Error{unavailable} with the reason if the program cannot be started. An ignored SIGCHLD of this
  // process is set to its default, without which no exit status could be had.
  explicit Process(const ProcessOptions& options);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  pid_t id() const { return id_; }
  // Writes a line (given without a line break) to the child's standard input; false if it no longer reads
  // (never raises SIGPIPE). Blocks while the pipe is full (64 KiB on Linux) and the child lives.
  bool send_line(std::string_view line);
  void close_input();

  enum class Wait { line, ended, timeout, interrupted };
  // Waits for the next line on the events pipe (without its line break; a last one without a line break
  // counts). `ended`: no more will come: the pipe is closed, or the child has ended and all that was
  // written is read, even if a grandchild still holds the pipe.
  // `interrupted`: `interrupt_descriptor` (or -1) is readable; that comes before lines that wait.
  // timeout_ms < 0: for ever. Lines longer than 1 MiB: Error{unavailable}.
  Wait next_line(std::string& line, int timeout_ms, int interrupt_descriptor);

  // Does nothing once wait() or wait_for() has returned a status.
  void signal_group(int signal);
  // Closes the input and waits for the end; idempotent. What is left of the group then is killed. Events
  // that were not read may be lost.
  ExitStatus wait();
  // As wait(), but gives up after timeout_ms and touches neither input nor events.
  std::optional<ExitStatus> wait_for(int timeout_ms);

 private:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // absent: never

  bool has_ended() const;
  bool take_events();
  bool poll_until(const Deadline& deadline, int events, int interrupt) const;
  ExitStatus reap();

  std::string name_;
  pid_t id_ = -1;
  Descriptor input_;
  Descriptor events_;
  Descriptor ended_;
  LineBuffer lines_;
  std::optional<ExitStatus> status_;
};

}  // namespace repro

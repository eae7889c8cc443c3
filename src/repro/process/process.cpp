#include "repro/process/process.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/process/spawn.h"

namespace repro {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_line_bytes = std::size_t{1} << 20;
constexpr int look_again_ms = 20;  // without a pidfd

std::optional<Clock::time_point> deadline_after(int timeout_ms) {
  if (timeout_ms < 0) return std::nullopt;
  return Clock::now() + std::chrono::milliseconds(timeout_ms);
}

// Keeps SIGPIPE from this thread while it writes to a pipe: a signal that the write raised is taken back.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;
  ~WithoutSigpipe() {
    const timespec now = {};
    while (!was_pending_ && ::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace

std::string describe(const ExitStatus& status) {
  if (!status.signalled) return "exited with status " + std::to_string(status.code);
  const char* name = ::sigabbrev_np(status.signal);
  return "was killed by signal " + std::to_string(status.signal) +
         (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
}

Process::Process(const ProcessOptions& options) {
  Spawned child = spawn(options);
  name_ = options.argv.front();
  id_ = child.id;
  input_ = std::move(child.input);
  events_ = std::move(child.events);
  ended_ = std::move(child.ended);
}

Process::~Process() {
  if (status_) return;
  signal_group(SIGKILL);
  ::kill(id_, SIGKILL);  // in case it has left its group
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Process::signal_group(int signal) {
  if (!status_) ::kill(-id_, signal);
}

void Process::close_input() { input_.reset(); }

bool Process::send_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  const WithoutSigpipe guard;
  for (std::string_view rest = text; !rest.empty();) {
    if (!input_ || has_ended()) return false;
    const ssize_t count = ::write(input_.get(), rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      std::array<pollfd, 2> wanted = {{{input_.get(), POLLOUT, 0}, {ended_.get(), POLLIN, 0}}};
      ::poll(wanted.data(), wanted.size(), ended_ ? -1 : look_again_ms);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

// Whether it has ended; its status is left for reap().
bool Process::has_ended() const {
  if (status_) return true;
  siginfo_t info = {};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno != EINTR) {
      throw Error(ErrorKind::bug, displayable(name_) + ": cannot be waited for: " + error_text(errno));
    }
  }
  return info.si_pid != 0;
}

// Reads what waits in the events pipe, at most one chunk; false if there is nothing now. At the end of
// the pipe it is closed.
bool Process::take_events() {
  std::array<char, 65536> chunk;
  ssize_t count = 0;
  do {
    count = ::read(events_.get(), chunk.data(), chunk.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0 && errno == EAGAIN) return false;
  if (count > 0) {
    lines_.append({chunk.data(), static_cast<std::size_t>(count)});
  } else {
    events_.reset();
    lines_.finish();
  }
  return true;
}

// Until an event, the end of the child or an interruption; false after the deadline. May return early.
bool Process::poll_until(const Deadline& deadline, int events, int interrupt) const {
  std::array<pollfd, 3> wanted = {{{events, POLLIN, 0}, {ended_.get(), POLLIN, 0}, {interrupt, POLLIN, 0}}};
  int timeout_ms = -1;
  if (deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
    if (left <= 0) return false;
    timeout_ms = static_cast<int>(std::min<std::int64_t>(left, 1 << 30));
  }
  if (!ended_) timeout_ms = deadline ? std::min(timeout_ms, look_again_ms) : look_again_ms;
  ::poll(wanted.data(), wanted.size(), timeout_ms);  // EINTR: the caller looks again
  return true;
}

Process::Wait Process::next_line(std::string& line, int timeout_ms, int interrupt_descriptor) {
  const Deadline deadline = deadline_after(timeout_ms);
  for (;;) {
    pollfd interrupt = {interrupt_descriptor, POLLIN, 0};
    if (interrupt_descriptor >= 0 && ::poll(&interrupt, 1, 0) > 0) return Wait::interrupted;
    if (auto next = lines_.next()) {
      line = std::move(*next);
      if (line.size() > max_line_bytes) break;
      return Wait::line;
    }
    if (lines_.unfinished() > max_line_bytes) break;
    if (!events_) return Wait::ended;
    const bool ended = has_ended();  // asked before the pipe, so that its last words are in there
    if (take_events()) continue;
    if (ended) {
      events_.reset();
      lines_.finish();
    } else if (!poll_until(deadline, events_.get(), interrupt_descriptor)) {
      return Wait::timeout;
    }
  }
  throw Error(ErrorKind::unavailable,
              displayable(name_) + ": a line on the events pipe is longer than 1 MiB");
}

ExitStatus Process::wait() {
  close_input();
  while (!has_ended()) {
    // A child that waits for room in the pipe would never end.
    while (events_ && take_events()) lines_ = {};
    poll_until(std::nullopt, events_.get(), -1);
  }
  return reap();
}

std::optional<ExitStatus> Process::wait_for(int timeout_ms) {
  const Deadline deadline = deadline_after(timeout_ms);
  while (!has_ended()) {
    if (!poll_until(deadline, -1, -1)) return std::nullopt;
  }
  return reap();
}

ExitStatus Process::reap() {
  if (status_) return *status_;
  // While the ended child is not reaped, its number belongs to this group and to nobody else.
  signal_group(SIGKILL);
  int status = 0;
  rusage usage = {};
  while (::wait4(id_, &status, 0, &usage) < 0) {
    if (errno != EINTR) {
      throw Error(ErrorKind::bug, displayable(name_) + ": cannot be waited for: " + error_text(errno));
    }
  }
  ExitStatus result;
  result.signalled = WIFSIGNALED(status);
  if (result.signalled) {
    result.signal = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
  }
  result.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  status_ = result;
  return result;
}

}  // namespace repro

#include "signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "repro/base/error.h"
#include "repro/base/files.h"

namespace repro {
namespace {

// A handler can reach nothing but globals of these types.
std::atomic<int> first_signal{0};
std::atomic<int> wake_descriptor{-1};
std::array<int, 2> pipe_ends = {-1, -1};
constexpr std::array<int, 3> watched = {SIGINT, SIGTERM, SIGHUP};

extern "C" void on_signal(int signal) {
  const int saved_error = errno;
  int expected = 0;
  if (!first_signal.compare_exchange_strong(expected, signal)) ::_exit(128 + signal);
  const char byte = 1;
  [[maybe_unused]] const ssize_t n = ::write(wake_descriptor.load(), &byte, 1);
  errno = saved_error;
}

void install(int signal, void (*handler)(int)) {
  struct sigaction old = {};
  ::sigaction(signal, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

SignalWatch::SignalWatch() {
  if (::pipe2(pipe_ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error(ErrorKind::unavailable, "cannot make a pipe: " + error_text(errno));
  }
  first_signal = 0;
  wake_descriptor = pipe_ends[1];
  for (const int signal : watched) install(signal, on_signal);
}

SignalWatch::~SignalWatch() {
  for (const int signal : watched) install(signal, SIG_DFL);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

int SignalWatch::descriptor() const { return pipe_ends[0]; }
int SignalWatch::received() const { return first_signal; }

}  // namespace repro

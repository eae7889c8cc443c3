#include "console.h"

#include <fcntl.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>

namespace repro {
namespace {

int& output_error() {
  static int error = 0;
  return error;
}

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made =
        std::make_shared<spdlog::logger>("repro-train", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%l: %v");
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *instance;
}

}  // namespace

void prepare_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      // The lowest free number is taken, which is this one.
      if (::open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY) < 0) return;
    }
  }
  std::signal(SIGPIPE, SIG_IGN);
}

void print_result(std::string_view text) {
  while (!text.empty() && output_error() == 0) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      output_error() = errno;
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool output_failed() { return output_error() != 0 && output_error() != EPIPE; }

void set_verbosity(Verbosity verbosity) {
  switch (verbosity) {
    case Verbosity::quiet: logger().set_level(spdlog::level::err); return;
    case Verbosity::normal: logger().set_level(spdlog::level::warn); return;
    case Verbosity::verbose: logger().set_level(spdlog::level::debug); return;
  }
}

void print_error(const std::string& message) { logger().error("{}", message); }
void print_warning(const std::string& message) { logger().warn("{}", message); }
void print_info(const std::string& message) { logger().info("{}", message); }

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

int terminal_width(int descriptor) {
  struct winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool use_color(Color color, int descriptor) {
  switch (color) {
    case Color::always: return true;
    case Color::never: return false;
    case Color::automatic: break;
  }
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return is_terminal(descriptor) && (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace repro

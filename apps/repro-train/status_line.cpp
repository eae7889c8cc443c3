#include "status_line.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "console.h"

namespace repro {
namespace {

void write_to_terminal(const std::string& text) {
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

void StatusLine::draw(std::string line) {
  if (!enabled_) return;
  const auto width = static_cast<std::size_t>(std::max(terminal_width(STDERR_FILENO) - 1, 20));
  line.resize(std::min(line.size(), width));
  write_to_terminal("\r\x1b[K" + (color_ ? "\x1b[2m" + line + "\x1b[0m" : line));
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) write_to_terminal("\r\x1b[K");
  drawn_ = false;
}

std::string progress_bar(double share, int width) {
  const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  std::string out = "[";
  for (int i = 0; i < width; ++i) out += i < filled ? '#' : '-';
  return out + "]";
}

}  // namespace repro

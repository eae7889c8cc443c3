#pragma once

#include <string>

namespace repro {

// One line on standard error that is drawn over itself, only where progress is wanted. Other output calls
// clear() first.
class StatusLine {
 public:
  StatusLine(bool enabled, bool color) : enabled_(enabled), color_(color) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool enabled() const { return enabled_; }
  void draw(std::string line);  // cut at the terminal's width
  void clear();

 private:
  const bool enabled_;
  const bool color_;
  bool drawn_ = false;
};

std::string progress_bar(double share, int width);  // "[###-------]"; share in [0, 1]

}  // namespace repro

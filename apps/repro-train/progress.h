#pragma once

#include <chrono>
#include <string>

#include "repro/audit/execute.h"

namespace repro {

// One line on standard error that is drawn over itself, only where progress is wanted: all runs, this run,
// loss, time left. Other output calls clear() first.
class Progress {
 public:
  Progress(bool enabled, bool color) : enabled_(enabled), color_(color) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void run_started(const std::string& run, std::int64_t number, std::int64_t total);
  void step(const WorkerEvent& event);
  void run_ended();
  void clear();

 private:
  void draw(const std::string& rest);
  double seconds_left(double share_of_run) const;

  const bool enabled_;
  const bool color_;
  bool drawn_ = false;
  std::string run_;
  std::int64_t number_ = 0, total_ = 1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace repro

#pragma once

#include <chrono>
#include <string>

#include "repro/audit/execute.h"
#include "status_line.h"

namespace repro {

// Shows how an audit goes on: all runs, this run, loss, time left.
class Progress {
 public:
  Progress(bool enabled, bool color) : line_(enabled, color) {}

  void run_started(const std::string& run, std::int64_t number, std::int64_t total);
  void step(const WorkerEvent& event);
  void run_ended();
  void clear() { line_.clear(); }

 private:
  void draw(const std::string& rest);
  double seconds_left(double share_of_run) const;

  StatusLine line_;
  std::string run_;
  std::int64_t number_ = 0, total_ = 1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace repro

#include "progress.h"

#include <algorithm>
#include <cmath>

#include "repro/base/number.h"
#include "repro/base/text.h"

namespace repro {
namespace {

std::string whole_seconds(double seconds) {
  return seconds < 60 ? std::to_string(std::lround(std::ceil(seconds))) + " s" : human_duration(seconds);
}

}  // namespace

void Progress::run_started(const std::string& run, std::int64_t number, std::int64_t total) {
  run_ = run;
  number_ = number;
  total_ = total;
  draw("preparing data");
}

void Progress::step(const WorkerEvent& event) {
  const double share =
      static_cast<double>(event.step) / static_cast<double>(std::max<std::int64_t>(1, event.total_steps));
  draw("step " + std::to_string(event.step) + "/" + std::to_string(event.total_steps) + "  loss " +
       rounded(event.loss, 4) + "  " + whole_seconds(seconds_left(share)) + " left");
}

void Progress::run_ended() { draw("done"); }

// All runs take about as long as those that have been seen.
double Progress::seconds_left(double share_of_run) const {
  const double done = static_cast<double>(number_ - 1) + share_of_run;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  return done <= 0 ? 0 : passed.count() * (static_cast<double>(total_) - done) / done;
}

void Progress::draw(const std::string& rest) {
  const std::string all = progress_bar(static_cast<double>(number_ - 1) / static_cast<double>(total_), 10);
  line_.draw(all + " run " + std::to_string(number_) + "/" + std::to_string(total_) + "  " + run_ + "  " +
             rest);
}

}  // namespace repro

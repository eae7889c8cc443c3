#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace repro {

// Validation patience as in MATLAB's trainingOptions: a validation loss that is not smaller than the
// smallest so far counts; training stops when `patience` of them have been seen in a row. A NaN counts as
// no improvement. Without a patience training never stops early.
class EarlyStopping {
 public:
  explicit EarlyStopping(std::optional<std::int64_t> patience) : patience_(patience) {}

  // Takes the next validation loss; true: stop now.
  bool should_stop(float loss) {
    if (loss < smallest_) {
      smallest_ = loss;
      without_improvement_ = 0;
    } else {
      ++without_improvement_;
    }
    return patience_ && without_improvement_ >= *patience_;
  }

 private:
  std::optional<std::int64_t> patience_;
  float smallest_ = std::numeric_limits<float>::infinity();
  std::int64_t without_improvement_ = 0;
};

}  // namespace repro

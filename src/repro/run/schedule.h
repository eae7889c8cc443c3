#pragma once

#include <algorithm>
#include <cstdint>

#include "repro/spec/spec.h"

namespace repro {

// Steps of one epoch over `training_samples` samples. With last_batch "drop" an incomplete last batch is
// left out (its samples take part in no step of that epoch), with "keep" it is a step of its own.
inline std::int64_t steps_per_epoch(const TrainingSpec& training, std::int64_t training_samples) {
  const std::int64_t whole = training_samples / training.batch_size;
  const bool rest = training_samples % training.batch_size != 0;
  return whole + (rest && training.last_batch == LastBatch::keep ? 1 : 0);
}

// All steps of a training that is not stopped early; 0 means that nothing would be trained.
inline std::int64_t total_steps(const TrainingSpec& training, std::int64_t training_samples) {
  return training.epochs * steps_per_epoch(training, training_samples);
}

}  // namespace repro

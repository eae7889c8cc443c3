#include "repro/train/batches.h"

#include <utility>

#include "repro/run/schedule.h"

namespace repro {

BatchSource::BatchSource(const Dataset& dataset, const TrainingSpec& training, bool with_fingerprints,
                         std::size_t ahead)
    : dataset_(dataset),
      training_(training),
      with_fingerprints_(with_fingerprints),
      ahead_(ahead),
      thread_([this] { prepare_all(); }) {}

BatchSource::~BatchSource() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::optional<ScheduledBatch> BatchSource::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !ready_.empty() || done_; });
  if (ready_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return std::nullopt;
  }
  ScheduledBatch batch = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return batch;
}

bool BatchSource::hand_over(ScheduledBatch batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_.size() < ahead_ || stop_; });
  if (stop_) return false;
  ready_.push_back(std::move(batch));
  lock.unlock();
  changed_.notify_all();
  return true;
}

void BatchSource::prepare_all() {
  try {
    const auto train_count = static_cast<std::int64_t>(dataset_.part(Part::train).size());
    const std::int64_t steps = steps_per_epoch(training_, train_count);
    const auto batch_size = static_cast<std::size_t>(training_.batch_size);
    std::int64_t step = 0;
    for (std::int64_t epoch = 1; epoch <= training_.epochs; ++epoch) {
      const std::vector<std::int64_t> order = dataset_.order(epoch);
      for (std::int64_t b = 1; b <= steps; ++b) {
        const std::size_t first = static_cast<std::size_t>(b - 1) * batch_size;
        const std::size_t count = std::min(batch_size, order.size() - first);
        ScheduledBatch batch{++step, epoch, b, {}, 0, 0};
        batch.data = dataset_.training_batch(epoch, std::span(order).subspan(first, count));
        if (with_fingerprints_) {
          batch.input = fingerprint(batch.data.input.view());
          batch.target = fingerprint(batch.data.target.view());
        }
        if (!hand_over(std::move(batch))) return;
      }
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  done_ = true;
  changed_.notify_all();
}

}  // namespace repro

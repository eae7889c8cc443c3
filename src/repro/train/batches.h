#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "repro/data/batch.h"
#include "repro/snapshot/fingerprint.h"

namespace repro {

// A training batch with its place in the schedule.
struct ScheduledBatch {
  std::int64_t step = 0;   // from 1
  std::int64_t epoch = 0;  // from 1
  std::int64_t batch = 0;  // within the epoch, from 1
  Batch data;
  Fingerprint input = 0, target = 0;  // zero unless asked for
};

// Prepares the batches of a training in order, ahead of their use, in a thread of its own. The dataset's
// batches are pure functions of (epoch, samples), so preparing ahead changes no bit. At most `ahead`
// batches wait at any time. The destructor stops the thread. next() is called from one thread.
class BatchSource {
 public:
  BatchSource(const Dataset& dataset, const TrainingSpec& training, bool with_fingerprints,
              std::size_t ahead = 2);
  BatchSource(const BatchSource&) = delete;
  BatchSource& operator=(const BatchSource&) = delete;
  ~BatchSource();

  // The next batch, or nothing after the last. Rethrows what the preparing thread met.
  std::optional<ScheduledBatch> next();

 private:
  void prepare_all();
  bool hand_over(ScheduledBatch batch);  // false: stopped

  const Dataset& dataset_;
  const TrainingSpec training_;
  const bool with_fingerprints_;
  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ScheduledBatch> ready_;
  std::exception_ptr failure_;
  bool done_ = false;
  bool stop_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace repro

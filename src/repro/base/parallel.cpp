#include "repro/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace repro {

void parallel_for(std::uint64_t count, unsigned threads, const std::function<void(std::uint64_t)>& work) {
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr failure;
  std::uint64_t failed_at = std::numeric_limits<std::uint64_t>::max();
  const auto take_pieces = [&] {
    while (!stop.load(std::memory_order_relaxed)) {
      const std::uint64_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= count) return;
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        stop.store(true);
        if (i < failed_at) {
          failed_at = i;
          failure = std::current_exception();
        }
      }
    }
  };
  {
    const std::uint64_t wanted = std::min<std::uint64_t>(std::max(threads, 1U), count);
    std::vector<std::jthread> others;
    for (std::uint64_t t = 1; t < wanted; ++t) others.emplace_back(take_pieces);
    take_pieces();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace repro

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>

#include "repro/base/parallel.h"
#include "repro/compare/diff.h"
#include "repro/compare/stretch.h"
#include "repro/snapshot/tensor_hash.h"

namespace repro {
namespace {

// A tensor of fewer bytes is not worth a second thread.
constexpr std::uint64_t parallel_bytes = std::uint64_t{4} << 20;

DifferenceKind kind_of(const PairStatistics& statistics) {
  if (statistics.value_differences > 0) return DifferenceKind::value;
  if (statistics.nan_mismatches > 0) return DifferenceKind::nan_pattern;
  if (statistics.sign_of_zero_mismatches > 0) return DifferenceKind::signed_zero;
  return DifferenceKind::equal;
}

SharedArray<std::uint64_t> histogram_of(const PairStatistics& statistics) {
  std::size_t bins = statistics.ulp_bins.size();
  while (bins > 0 && statistics.ulp_bins[bins - 1] == 0) --bins;
  return std::span(statistics.ulp_bins).first(bins);
}

ValueDifferences differences_of(const PairStatistics& statistics) {
  ValueDifferences differences;
  differences.first_different = statistics.first_different.value_or(0);
  differences.magnitudes = {statistics.sign_of_zero_mismatches, statistics.last_bit, statistics.small,
                            statistics.value_differences - statistics.last_bit - statistics.small,
                            statistics.nan_mismatches};
  differences.ulp_histogram = histogram_of(statistics);
  if (statistics.finite_pairs == 0) return differences;
  const auto pairs = static_cast<double>(statistics.finite_pairs);
  differences.max_abs = statistics.max_abs;
  differences.mean_abs = statistics.sum_abs / pairs;
  differences.rms = std::sqrt(statistics.sum_squares / pairs);
  differences.max_relative = statistics.max_relative;
  differences.max_ulp = statistics.max_ulp;
  return differences;
}

void fill_in(TensorDiff& diff, const PairStatistics& statistics) {
  diff.kind = kind_of(statistics);
  diff.within_rule = statistics.within_rule;
  diff.different = statistics.different;
  diff.has_finite_pairs = statistics.finite_pairs > 0;
  if (statistics.different > 0) diff.differences = differences_of(statistics);
}

// Takes the results of stretches as they come and adds them up in their order: what is held waits for an
// earlier one, at most as many as there are threads.
class OrderedSum {
 public:
  void add(std::uint64_t index, const PairStatistics& statistics) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(index, statistics);
    for (auto at = waiting_.find(next_); at != waiting_.end(); at = waiting_.find(++next_)) {
      sum_.append(at->second);
      waiting_.erase(at);
    }
  }
  const PairStatistics& sum() const { return sum_; }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, PairStatistics> waiting_;
  std::uint64_t next_ = 0;
  PairStatistics sum_;
};

// Equal tensors: all that is left to know is whether some pair of numbers is finite.
std::uint64_t any_finite(const RowMajor& tensor, DType dtype, std::uint64_t elements) {
  constexpr std::uint64_t step = 1024;
  for (std::uint64_t first = 0; first < elements; first += step) {
    if (finite_numbers(tensor, dtype, first, std::min(step, elements - first)) > 0) return 1;
  }
  return 0;
}

PairStatistics compare_values(const RowMajor& reference, const RowMajor& candidate, DType dtype,
                              std::uint64_t elements, const DiffOptions& options) {
  const std::uint64_t step = stretch_elements(dtype);
  const std::uint64_t stretches = (elements + step - 1) / step;
  const unsigned threads = elements * size_of(dtype) >= parallel_bytes ? options.threads : 1;
  const auto elements_of = [&](std::uint64_t i) { return std::min(step, elements - i * step); };
  std::vector<char> equal(static_cast<std::size_t>(stretches));  // not vector<bool>: threads write it
  OrderedSum sum;
  parallel_for(stretches, threads, [&](std::uint64_t i) {
    const StretchResult result =
        compare_stretch(reference, candidate, dtype, i * step, elements_of(i), options.rule);
    equal[static_cast<std::size_t>(i)] = result.equal ? 1 : 0;
    sum.add(i, result.statistics);
  });
  PairStatistics statistics = sum.sum();
  const std::uint64_t differing = stretches - static_cast<std::uint64_t>(std::ranges::count(equal, 1));
  if (differing == 0) {
    statistics.finite_pairs = any_finite(reference, dtype, elements);
    return statistics;
  }
  std::atomic<std::uint64_t> finite{0};
  parallel_for(stretches, threads, [&](std::uint64_t i) {
    if (equal[static_cast<std::size_t>(i)] == 0) return;
    finite += finite_numbers(reference, dtype, i * step, elements_of(i));
  });
  statistics.finite_pairs += finite;
  return statistics;
}

// The same for a tensor of one stretch, without anything that many small tensors would pay for.
PairStatistics compare_stretch_alone(const RowMajor& reference, const RowMajor& candidate, DType dtype,
                                     std::uint64_t elements, const Rule& rule) {
  StretchResult result = compare_stretch(reference, candidate, dtype, 0, elements, rule);
  if (result.equal) result.statistics.finite_pairs = any_finite(reference, dtype, elements);
  return result.statistics;
}

}  // namespace

TensorDiff diff_tensors(SharedText name, const StoredTensor& reference, const StoredTensor& candidate,
                        const DiffOptions& options) {
  TensorDiff diff;
  diff.name = std::move(name);
  diff.dtype = reference.dtype;
  diff.shape = reference.shape;
  diff.candidate_dtype = candidate.dtype;
  diff.candidate_shape = candidate.shape;
  if (options.with_hashes) {
    diff.reference_sha256 = sha256_of(reference);
    diff.candidate_sha256 = sha256_of(candidate);
  }
  if (reference.dtype != candidate.dtype || reference.shape != candidate.shape) {
    diff.kind = reference.dtype != candidate.dtype ? DifferenceKind::dtype : DifferenceKind::shape;
    diff.within_rule = false;
    return diff;
  }
  diff.values = reference.size();
  const RowMajor left(reference), right(candidate);
  const std::uint64_t step = stretch_elements(reference.dtype);
  fill_in(diff, diff.values <= step
                    ? compare_stretch_alone(left, right, reference.dtype, diff.values, options.rule)
                    : compare_values(left, right, reference.dtype, diff.values, options));
  if (diff.differences) {
    diff.differences->first_pair = pair_bytes_at(reference, candidate, diff.differences->first_different);
  }
  return diff;
}

}  // namespace repro

#include "repro/compare/alignment.h"

#include <algorithm>
#include <cstdint>

namespace repro {
namespace {

// The furthest reference index on each diagonal (reference - candidate), one round for each edit.
using Round = std::vector<std::int64_t>;

// Myers' forward search with its rounds kept, so that the path can be walked back.
class ShortestEdit {
 public:
  ShortestEdit(const TraceLayout& reference, const TraceLayout& candidate, std::size_t skip_first,
               std::size_t skip_last)
      : left_(reference),
        right_(candidate),
        first_(static_cast<std::int64_t>(skip_first)),
        left_end_(static_cast<std::int64_t>(reference.size() - skip_last)),
        right_end_(static_cast<std::int64_t>(candidate.size() - skip_last)) {}

  // The pairs between the skipped ends; nothing if more than `most_edits` edits are needed.
  std::optional<std::vector<SlotPair>> find(std::int64_t most_edits) {
    const std::int64_t most = std::min(most_edits, left_end_ + right_end_ - 2 * first_);
    for (std::int64_t edits = 0; edits <= most; ++edits) {
      Round round(static_cast<std::size_t>(2 * edits + 1));
      for (std::int64_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const std::int64_t x = along_snake(start_of(edits, diagonal), diagonal);
        round[static_cast<std::size_t>(diagonal + edits)] = x;
        if (x >= left_end_ && x - diagonal >= right_end_) {
          rounds_.push_back(std::move(round));
          return walk_back(edits, diagonal);
        }
      }
      rounds_.push_back(std::move(round));
    }
    return std::nullopt;
  }

 private:
  std::int64_t furthest(std::int64_t edits, std::int64_t diagonal) const {
    if (edits < 0 || diagonal < -edits || diagonal > edits) return -1;
    return rounds_[static_cast<std::size_t>(edits)][static_cast<std::size_t>(diagonal + edits)];
  }
  // True: the step onto this diagonal leaves out a slot of the candidate, else one of the reference.
  bool steps_down(std::int64_t edits, std::int64_t diagonal) const {
    return furthest(edits - 1, diagonal - 1) < furthest(edits - 1, diagonal + 1);
  }
  std::int64_t start_of(std::int64_t edits, std::int64_t diagonal) const {
    if (edits == 0) return first_;
    return steps_down(edits, diagonal) ? furthest(edits - 1, diagonal + 1)
                                       : furthest(edits - 1, diagonal - 1) + 1;
  }
  std::int64_t along_snake(std::int64_t x, std::int64_t diagonal) const {
    while (x < left_end_ && x - diagonal < right_end_ &&
           left_[static_cast<std::size_t>(x)] == right_[static_cast<std::size_t>(x - diagonal)]) {
      ++x;
    }
    return x;
  }
  std::vector<SlotPair> walk_back(std::int64_t edits, std::int64_t diagonal) const {
    std::vector<SlotPair> path;
    for (;; --edits) {
      const std::int64_t start = start_of(edits, diagonal);
      for (std::int64_t x = furthest(edits, diagonal); x > start; --x) {
        path.push_back({static_cast<std::size_t>(x - 1), static_cast<std::size_t>(x - 1 - diagonal)});
      }
      if (edits == 0) break;
      if (steps_down(edits, diagonal)) {
        path.push_back({std::nullopt, static_cast<std::size_t>(start - diagonal - 1)});
        ++diagonal;
      } else {
        path.push_back({static_cast<std::size_t>(start - 1), std::nullopt});
        --diagonal;
      }
    }
    std::ranges::reverse(path);
    return path;
  }

  const TraceLayout &left_, &right_;
  const std::int64_t first_, left_end_, right_end_;
  std::vector<Round> rounds_;
};

// In every stretch of unpaired slots the reference's first.
void order_replacements(std::vector<SlotPair>& pairs) {
  for (auto at = pairs.begin(); at != pairs.end();) {
    const auto end = std::find_if(at, pairs.end(), [](const SlotPair& p) { return p.paired(); });
    std::stable_partition(at, end, [](const SlotPair& p) { return p.reference.has_value(); });
    at = end == pairs.end() ? end : end + 1;
  }
}

}  // namespace

std::vector<SlotPair> align(const TraceLayout& reference, const TraceLayout& candidate,
                            std::size_t most_edits) {
  const std::size_t shorter = std::min(reference.size(), candidate.size());
  std::size_t first = 0, last = 0;
  while (first < shorter && reference[first] == candidate[first]) ++first;
  while (last < shorter - first &&
         reference[reference.size() - 1 - last] == candidate[candidate.size() - 1 - last]) {
    ++last;
  }
  std::vector<SlotPair> pairs;
  for (std::size_t i = 0; i < first; ++i) pairs.push_back({i, i});
  ShortestEdit edit(reference, candidate, first, last);
  if (auto middle = edit.find(static_cast<std::int64_t>(most_edits))) {
    pairs.insert(pairs.end(), middle->begin(), middle->end());
  } else {
    for (std::size_t i = first; i < reference.size() - last; ++i) pairs.push_back({i, std::nullopt});
    for (std::size_t i = first; i < candidate.size() - last; ++i) pairs.push_back({std::nullopt, i});
  }
  for (std::size_t i = last; i > 0; --i) pairs.push_back({reference.size() - i, candidate.size() - i});
  order_replacements(pairs);
  return pairs;
}

}  // namespace repro

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "repro/compare/difference.h"

namespace repro {

// What a comparison comes to. Names that are tied to an earlier row count in `tied` only.
struct DiffTotals {
  // Rows of tensors by kind, leaves apart: equal ones, others with the same name, missing ones.
  std::array<std::uint64_t, static_cast<std::size_t>(DifferenceKind::equal) + 1> by_kind{};
  std::uint64_t equal_leaves = 0, differing_leaves = 0, missing_leaves = 0;
  std::uint64_t tied = 0;
  std::uint64_t equal_values = 0;  // of equal tensors
  Magnitudes magnitudes;
  UlpHistogram ulp_histogram;

  std::uint64_t of(DifferenceKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
  // No row that differs or is missing, tied ones included.
  bool all_equal = true;
};
// `admits`, if given, says which rows enter magnitudes and histogram.
DiffTotals totals_of(const SnapshotDiff& diff, const std::function<bool(const TensorDiff&)>& admits = {});

void add_to(UlpHistogram& sum, std::span<const std::uint64_t> histogram);

// A bin, or several neighbouring ones, of a histogram in a few lines.
struct UlpRange {
  std::string text;  // "1", "2-3", "2^20-2^24"
  std::uint64_t count = 0;
};
// From the first to the last bin that is not empty, in at most `lines` ranges of equally many bins.
std::vector<UlpRange> ulp_ranges(const UlpHistogram& histogram, std::size_t lines);

// "13 equal, 2 value, 1 missing_in_candidate": the kinds that occur, worst first, equal last.
std::string kinds_text(const DiffTotals& totals);
// "3 signed zero, 1 last bit (1 ULP), 2 small (2 to 1,024 ULP)"; "" if there is none.
std::string magnitudes_text(const Magnitudes& magnitudes);
// "12 equal, 1 different, 2 missing; 3 left out (one side holds none)"; "" if there is no leaf.
std::string leaves_text(const SnapshotDiff& diff, const DiffTotals& totals);

}  // namespace repro

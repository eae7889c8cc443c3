#include "repro/report/totals.h"

#include <algorithm>

#include "repro/base/text.h"
#include "repro/report/row_facts.h"

namespace repro {
namespace {

void add_to(Magnitudes& sum, const Magnitudes& magnitudes) {
  sum.signed_zero += magnitudes.signed_zero;
  sum.last_bit += magnitudes.last_bit;
  sum.small += magnitudes.small;
  sum.gross += magnitudes.gross;
  sum.nan += magnitudes.nan;
}

void add_leaf(DiffTotals& totals, const TensorDiff& row) {
  if (!row.reference_leaf || !row.candidate_leaf) {
    ++totals.missing_leaves;
  } else {
    ++(row.kind == DifferenceKind::equal ? totals.equal_leaves : totals.differing_leaves);
  }
}

void append(std::string& out, std::uint64_t count, std::string_view what) {
  if (count == 0) return;
  if (!out.empty()) out += ", ";
  out += thousands(count) + " " + std::string(what);
}

std::string power_text(std::size_t exponent, bool one_less) {
  if (exponent >= 20) return "2^" + std::to_string(exponent);
  return thousands((std::uint64_t{1} << exponent) - (one_less ? 1 : 0));
}

}  // namespace

DiffTotals totals_of(const SnapshotDiff& diff, const std::function<bool(const TensorDiff&)>& admits) {
  DiffTotals totals;
  for (const TensorDiff& row : diff.tensors) {
    if (row.kind != DifferenceKind::equal) totals.all_equal = false;
    if (!row.alias_of.empty()) {
      ++totals.tied;
      continue;
    }
    if (row.is_leaf) {
      add_leaf(totals, row);
      continue;
    }
    ++totals.by_kind[static_cast<std::size_t>(row.kind)];
    if (row.kind == DifferenceKind::equal) totals.equal_values += row.values;
    if (admits && !admits(row)) continue;
    add_to(totals.magnitudes, row.magnitudes());
    add_to(totals.ulp_histogram, row.ulp_histogram());
  }
  return totals;
}

void add_to(UlpHistogram& sum, std::span<const std::uint64_t> histogram) {
  sum.resize(std::max(sum.size(), histogram.size()));
  for (std::size_t bin = 0; bin < histogram.size(); ++bin) sum[bin] += histogram[bin];
}

std::vector<UlpRange> ulp_ranges(const UlpHistogram& histogram, std::size_t lines) {
  std::size_t first = 0;
  while (first < histogram.size() && histogram[first] == 0) ++first;
  const std::size_t step = std::max<std::size_t>(1, (histogram.size() - first + lines - 1) / lines);
  std::vector<UlpRange> ranges;
  for (std::size_t bin = first; bin < histogram.size(); bin += step) {
    const std::size_t end = std::min(bin + step, histogram.size());
    UlpRange range;
    range.text = end == 1 ? "1" : power_text(bin, false) + "-" + power_text(end, true);
    for (std::size_t i = bin; i < end; ++i) range.count += histogram[i];
    ranges.push_back(std::move(range));
  }
  return ranges;
}

std::string kinds_text(const DiffTotals& totals) {
  std::string out;
  for (std::size_t kind = 0; kind < totals.by_kind.size(); ++kind) {
    append(out, totals.by_kind[kind], name_of(static_cast<DifferenceKind>(kind)));
  }
  return out.empty() ? "none" : out;
}

std::string magnitudes_text(const Magnitudes& magnitudes) {
  std::string out;
  append(out, magnitudes.signed_zero, "signed zero");
  append(out, magnitudes.last_bit, "last bit (1 ULP)");
  append(out, magnitudes.small, "small (2 to 1,024 ULP)");
  append(out, magnitudes.gross, "gross");
  append(out, magnitudes.nan, "NaN");
  return out;
}

std::string leaves_text(const SnapshotDiff& diff, const DiffTotals& totals) {
  std::string out;
  append(out, totals.equal_leaves, "equal");
  append(out, totals.differing_leaves, "different");
  append(out, totals.missing_leaves, "missing");
  if (diff.leaves_left_out > 0) {
    out += (out.empty() ? "" : "; ") + thousands(diff.leaves_left_out) + " left out";
  }
  return out;
}

}  // namespace repro

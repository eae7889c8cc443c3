#include "repro/compare/difference_map.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "repro/compare/record_pairs.h"
#include "repro/compare/trace_diff.h"

namespace repro {
namespace {

using Cell = DifferenceMap::Cell;
using Row = DifferenceMap::Row;

std::vector<std::int64_t> steps_of_either(const Trace& reference, const Trace& candidate) {
  std::vector<std::int64_t> left, right, all;
  for (const TraceRecord& record : reference.records) left.push_back(record.step);
  for (const TraceRecord& record : candidate.records) right.push_back(record.step);
  std::ranges::set_union(left, right, std::back_inserter(all));
  return all;
}

// Fills the rows step by step. Which row a slot belongs to is looked up once for each pair of layouts.
class Rows {
 public:
  explicit Rows(std::size_t columns) : columns_(columns) {}

  void add(const RecordPair& records, std::size_t column) {
    const std::vector<std::size_t>& places = places_of(records);
    // A state that stands twice in a step counts once.
    for (std::size_t i = 0; i < records.slots.size(); ++i) {
      if (!records.slots[i].paired()) continue;
      Row& row = rows_[places[i]];
      Seen& seen = seen_[places[i]];
      const std::int64_t step = records.reference.step;
      if (seen.compared != step) ++row.compared_steps;
      seen.compared = step;
      Cell& cell = row.cells[column];
      if (!records.differs(records.slots[i])) {
        cell = std::max(cell, Cell::equal);
        continue;
      }
      cell = Cell::different;
      if (row.different_steps == 0) row.first_different = step;
      row.last_different = step;
      if (seen.different != step) ++row.different_steps;
      seen.different = step;
    }
  }

  std::vector<Row> take() { return std::move(rows_); }

 private:
  struct Seen {
    std::optional<std::int64_t> compared, different;
  };

  const std::vector<std::size_t>& places_of(const RecordPair& records) {
    auto [known, is_new] = places_.try_emplace(&records.slots);
    if (!is_new) return known->second;
    for (const SlotPair& pair : records.slots) {
      const TraceSlot& slot = records.slot(pair);
      const auto [row, first] = numbers_.try_emplace({slot.phase, slot.tensor}, rows_.size());
      if (first) {
        rows_.push_back({.phase = slot.phase, .tensor = slot.tensor, .cells = std::vector<Cell>(columns_)});
        seen_.emplace_back();
      }
      known->second.push_back(row->second);
    }
    return known->second;
  }

  std::size_t columns_;
  std::vector<Row> rows_;
  std::vector<Seen> seen_;
  std::map<std::pair<Phase, std::string>, std::size_t> numbers_;
  std::map<const std::vector<SlotPair>*, std::vector<std::size_t>> places_;
};

void keep_first_to_part(DifferenceMap& map, std::vector<Row> rows, std::size_t most) {
  for (Row& row : rows) {
    if (row.different_steps > 0) {
      map.rows.push_back(std::move(row));
    } else {
      ++(row.compared_steps > 0 ? map.rows_equal : map.rows_unpaired);
    }
  }
  if (map.rows.size() <= most) return;
  std::vector<std::size_t> order(map.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return map.rows[i].first_different; });
  order.resize(most);
  std::ranges::sort(order);
  std::vector<Row> kept;
  for (const std::size_t i : order) kept.push_back(std::move(map.rows[i]));
  map.rows_left_out = map.rows.size() - most;
  map.rows = std::move(kept);
}

DifferenceMap map_of_states(const Trace& reference, const Trace& candidate,
                            const DifferenceMapLimits& limits) {
  DifferenceMap map;
  const std::vector<std::int64_t> steps = steps_of_either(reference, candidate);
  const std::size_t per_column =
      std::max<std::size_t>((steps.size() + limits.columns - 1) / limits.columns, 1);
  for (std::size_t i = 0; i < steps.size(); i += per_column) map.steps.push_back(steps[i]);
  map.steps_per_column = static_cast<std::int64_t>(per_column);
  if (!steps.empty()) map.last_step = steps.back();

  RecordPairs pairs;
  Rows rows(map.steps.size());
  auto left = reference.records.begin();
  auto right = candidate.records.begin();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool in_left = left != reference.records.end() && left->step == steps[i];
    const bool in_right = right != candidate.records.end() && right->step == steps[i];
    if (in_left && in_right) rows.add(pairs.of(*left, *right), i / per_column);
    if (in_left) ++left;
    if (in_right) ++right;
  }
  keep_first_to_part(map, rows.take(), limits.rows);
  return map;
}

}  // namespace

DifferenceMap difference_map(const Trace& reference, const Trace& candidate,
                             const DifferenceMapLimits& limits) {
  // Without the operations first: streams of them that differ much would leave states unpaired.
  if (!has_operations(reference) && !has_operations(candidate)) {
    return map_of_states(reference, candidate, limits);
  }
  return map_of_states(states_of(reference), states_of(candidate), limits);
}

}  // namespace repro

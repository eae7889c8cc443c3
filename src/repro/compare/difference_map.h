#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repro/snapshot/trace.h"

namespace repro {

// Which states differ over the steps of two traces: a row for each state, a column for each step, or for
// `steps_per_column` steps in a row where there are many. Operations are left out.
struct DifferenceMap {
  enum class Cell : std::uint8_t {
    absent,     // no step of the column has this state in both traces
    equal,      // equal wherever both have it
    different,  // different in at least one step
  };
  struct Row {
    Phase phase = Phase::initialisation;
    std::string tensor;
    std::vector<Cell> cells;            // as many as columns
    std::int64_t first_different = 0;   // step
    std::int64_t last_different = 0;    // step
    std::uint64_t different_steps = 0;  // exact, whatever the columns are
    std::uint64_t compared_steps = 0;   // in which both traces have it
    bool operator==(const Row&) const = default;
  };

  std::vector<std::int64_t> steps;    // the first step of each column, ascending
  std::int64_t last_step = 0;         // of the last column
  std::int64_t steps_per_column = 1;  // the last column may have fewer
  std::vector<Row> rows;              // states that differ somewhere, in the order of the trace
  std::uint64_t rows_left_out = 0;    // that differ as well, but from a later step on than those kept
  std::uint64_t rows_equal = 0;       // states that never differ
  std::uint64_t rows_unpaired = 0;    // states that no step has in both traces
  bool operator==(const DifferenceMap&) const = default;
};

struct DifferenceMapLimits {
  std::size_t columns = 240, rows = 60;  // at least 1 each
};

// Steps are paired by their number, the states of a step as first_divergence() pairs them: only like with
// like. A step that one trace lacks is a column without cells. Equal traces give a map without rows.
DifferenceMap difference_map(const Trace& reference, const Trace& candidate,
                             const DifferenceMapLimits& limits = {});

}  // namespace repro

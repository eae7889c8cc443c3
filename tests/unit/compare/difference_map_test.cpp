#include "repro/compare/difference_map.h"

#include <catch2/catch_test_macros.hpp>

#include "support/trace_records.h"

namespace {

using namespace repro;
using Cell = DifferenceMap::Cell;
constexpr Cell absent = Cell::absent, equal = Cell::equal, different = Cell::different;

// Weights after initialisation, then an input, a gradient and weights in each step.
Trace trace(std::int64_t steps) {
  Trace result;
  result.records.push_back(trace_record(0, 0, 0, {{state(Phase::initialisation, "conv1.weight"), 1}}));
  for (std::int64_t step = 1; step <= steps; ++step) {
    const auto value = static_cast<Fingerprint>(step * 100);
    result.records.push_back(trace_record(step, 1, step,
                                          {{state(Phase::batch, "input"), value + 1},
                                           {state(Phase::backward, "conv1.weight"), value + 2},
                                           {state(Phase::update, "conv1.weight"), value + 3}}));
  }
  return result;
}
Trace changed_at(Trace trace, const std::vector<std::pair<std::size_t, std::size_t>>& places) {
  for (const auto& [record, slot] : places) trace.records[record].values[slot] ^= 1;
  return trace;
}

TEST_CASE("a map has the states that differ, step by step") {
  const DifferenceMap map = difference_map(trace(4), changed_at(trace(4), {{2, 1}, {2, 2}, {4, 2}}));
  CHECK(map.steps == std::vector<std::int64_t>{0, 1, 2, 3, 4});
  CHECK(map.last_step == 4);
  CHECK(map.steps_per_column == 1);
  REQUIRE(map.rows.size() == 2);
  CHECK(map.rows[0] ==
        DifferenceMap::Row{
            Phase::backward, "conv1.weight", {absent, equal, different, equal, equal}, 2, 2, 1, 4});
  CHECK(map.rows[1] ==
        DifferenceMap::Row{
            Phase::update, "conv1.weight", {absent, equal, different, equal, different}, 2, 4, 2, 4});
  CHECK(map.rows_equal == 2);  // the initial weights and the input
  CHECK(map.rows_unpaired == 0);
  CHECK(map.rows_left_out == 0);
}

TEST_CASE("equal and empty traces have no rows") {
  const DifferenceMap same = difference_map(trace(3), trace(3));
  CHECK(same.rows.empty());
  CHECK(same.rows_equal == 4);
  CHECK(difference_map(Trace{}, Trace{}) == DifferenceMap{});
  CHECK(difference_map(Trace{}, trace(2)).steps.size() == 3);
}

TEST_CASE("steps that one trace lacks are columns without cells") {
  const DifferenceMap map = difference_map(trace(3), changed_at(trace(1), {{1, 0}}));
  CHECK(map.steps.size() == 4);
  REQUIRE(map.rows.size() == 1);
  CHECK(map.rows[0].cells == std::vector<Cell>{absent, different, absent, absent});

  Trace without_2 = changed_at(trace(3), {{3, 0}});
  without_2.records.erase(without_2.records.begin() + 2);
  const DifferenceMap gap = difference_map(trace(3), without_2);
  REQUIRE(gap.rows.size() == 1);
  CHECK(gap.rows[0].cells == std::vector<Cell>{absent, equal, absent, different});
}

TEST_CASE("a state of one side only is never compared") {
  Trace reference, candidate;
  reference.records = {
      trace_record(1, 1, 1, {{state(Phase::update, "a"), 1}, {state(Phase::update, "b"), 2}})};
  candidate.records = {
      trace_record(1, 1, 1, {{state(Phase::update, "c"), 9}, {state(Phase::update, "b"), 3}})};
  const DifferenceMap map = difference_map(reference, candidate);
  REQUIRE(map.rows.size() == 1);
  CHECK(map.rows[0].tensor == "b");
  CHECK(map.rows_unpaired == 2);
}

TEST_CASE("operations are left out, also where only one trace has them") {
  Trace with = trace(2);
  with.records[2] = trace_record(2, 1, 2,
                                 {{state(Phase::batch, "input"), 201},
                                  {operation(Phase::forward, "conv1", "aten::convolution"), 7},
                                  {state(Phase::backward, "conv1.weight"), 202},
                                  {state(Phase::update, "conv1.weight"), 9}});
  for (const DifferenceMap& map : {difference_map(trace(2), with), difference_map(with, trace(2))}) {
    REQUIRE(map.rows.size() == 1);
    CHECK(map.rows[0].phase == Phase::update);
    CHECK(map.rows_equal + map.rows_unpaired == 3);
  }
}

TEST_CASE("many steps share columns: one that differs is enough, counts stay exact") {
  const DifferenceMap map =
      difference_map(trace(9), changed_at(trace(9), {{4, 2}, {5, 2}, {9, 2}}), {.columns = 4, .rows = 60});
  CHECK(map.steps_per_column == 3);
  CHECK(map.steps == std::vector<std::int64_t>{0, 3, 6, 9});
  CHECK(map.last_step == 9);
  REQUIRE(map.rows.size() == 1);
  CHECK(map.rows[0].cells == std::vector<Cell>{equal, different, equal, different});
  CHECK(map.rows[0].first_different == 4);
  CHECK(map.rows[0].last_different == 9);
  CHECK(map.rows[0].different_steps == 3);
  CHECK(map.rows[0].compared_steps == 9);
  CHECK(difference_map(trace(239), trace(239)).steps.size() == 240);
  CHECK(difference_map(trace(240), trace(240)).steps.size() == 121);
}

TEST_CASE("of too many rows those that part first are kept, in the order of the trace") {
  const Trace other = changed_at(trace(3), {{0, 0}, {1, 2}, {2, 1}, {3, 0}});
  const DifferenceMap map = difference_map(trace(3), other, {.columns = 240, .rows = 2});
  REQUIRE(map.rows.size() == 2);
  CHECK(map.rows[0].phase == Phase::initialisation);
  CHECK(map.rows[1].phase == Phase::update);
  CHECK(map.rows_left_out == 2);
  CHECK(map.rows_equal == 0);
  const DifferenceMap three = difference_map(trace(3), other, {.columns = 240, .rows = 3});
  REQUIRE(three.rows.size() == 3);
  CHECK(three.rows[1].phase == Phase::backward);
}

TEST_CASE("a state that stands twice in a step counts once") {
  const auto twice = [](Fingerprint first, Fingerprint second) {
    Trace result;
    result.records = {
        trace_record(1, 1, 1, {{state(Phase::update, "a"), first}, {state(Phase::update, "a"), second}})};
    return result;
  };
  const DifferenceMap map = difference_map(twice(1, 2), twice(3, 4));
  REQUIRE(map.rows.size() == 1);
  CHECK(map.rows[0].different_steps == 1);
  CHECK(map.rows[0].compared_steps == 1);
}

}  // namespace

#include "repro/compare/divergence.h"

#include <catch2/catch_test_macros.hpp>

#include "support/trace_records.h"

namespace {

using namespace repro;

using Slots = std::vector<std::pair<TraceSlot, Fingerprint>>;

Slots slots_of(std::int64_t step) {
  const auto value = static_cast<Fingerprint>(step * 100);
  if (step == 0) {
    return {{state(Phase::initialisation, "conv1.weight"), 1},
            {state(Phase::initialisation, "conv1.bias"), 2}};
  }
  return {{state(Phase::batch, "input"), value + 1},
          {state(Phase::backward, "conv1.bias"), value + 2},
          {state(Phase::backward, "conv1.weight"), value + 3},
          {state(Phase::update, "conv1.weight"), value + 4}};
}
TraceRecord record(std::int64_t step, const Slots& slots) {
  return trace_record(step, step == 0 ? 0 : 1, step, slots);
}
Trace trace(std::int64_t steps) {
  Trace result;
  for (std::int64_t step = 0; step <= steps; ++step) result.records.push_back(record(step, slots_of(step)));
  return result;
}

TEST_CASE("equal traces do not diverge") {
  CHECK_FALSE(first_divergence(trace(3), trace(3)));
  CHECK_FALSE(first_divergence(Trace{}, Trace{}));
}

TEST_CASE("every single changed value is found where it is") {
  const Trace reference = trace(3);
  for (std::size_t i = 0; i < reference.records.size(); ++i) {
    for (std::size_t j = 0; j < reference.records[i].size(); ++j) {
      Trace candidate = reference;
      Fingerprint& changed = candidate.records[i].values[j];
      const TraceSlot& slot = reference.records[i].slot(j);
      changed ^= std::uint64_t{1} << 63;
      const auto found = first_divergence(reference, candidate);
      REQUIRE(found);
      CHECK(found->step == reference.records[i].step);
      CHECK(found->epoch == reference.records[i].epoch);
      CHECK(found->batch == reference.records[i].batch);
      CHECK(found->phase == slot.phase);
      CHECK(found->tensor == slot.tensor);
      CHECK(found->layer == slot.layer);
      CHECK(found->candidate == changed);
      CHECK(found->reference == reference.records[i].values[j]);
      CHECK(found->different_in_phase == 1);
      CHECK(found->entries_in_phase == (i == 0 || slot.phase == Phase::backward ? 2 : 1));
      CHECK(found->note.empty());
      CHECK(found->last_different->step == found->step);
      CHECK(found->healed == (i < 3 || slot.phase != Phase::update));
      CHECK(found->last_equal.has_value() == (i > 0 || j > 0));
      if (j > 0) CHECK(found->last_equal->slot == reference.records[i].slot(j - 1));
      if (j == 0 && i > 0) CHECK(found->last_equal->step == reference.records[i - 1].step);
      CHECK(found->neighbours.size() == reference.records[i].size());
      CHECK(found->at_neighbour == j);
      for (std::size_t n = 0; n < found->neighbours.size(); ++n) {
        CHECK((found->neighbours[n].state == Neighbour::State::different) == (n == j));
      }
    }
  }
}

TEST_CASE("the first of several differences counts, also where states meet again") {
  Trace candidate = trace(5);
  candidate.records[2].values[1] ^= 1;
  candidate.records[2].values[2] ^= 1;
  candidate.records[5].values[0] ^= 1;
  const auto found = first_divergence(trace(5), candidate);
  REQUIRE(found);
  CHECK(found->step == 2);
  CHECK(found->tensor == "conv1.bias");
  CHECK(found->different_in_phase == 2);
  CHECK(found->last_different->step == 5);
  CHECK(found->healed);  // the weights of the last step are equal
  candidate.records[5].values[3] ^= 1;
  CHECK_FALSE(first_divergence(trace(5), candidate)->healed);
}

TEST_CASE("a trace that ends early diverges there") {
  const auto found = first_divergence(trace(3), trace(2));
  REQUIRE(found);
  CHECK(found->step == 3);
  CHECK(found->phase == Phase::batch);
  CHECK(found->tensor == "input");
  CHECK(found->note == "the candidate's trace ends here");
  CHECK(found->last_equal->step == 2);
  CHECK_FALSE(found->healed);
  const auto other = first_divergence(trace(2), trace(3));
  REQUIRE(other);
  CHECK(other->step == 3);
  CHECK(other->note == "the reference's trace ends here");
  CHECK(first_divergence(trace(0), Trace{})->note == "the candidate's trace ends here");

  Trace cut = trace(2);
  cut.complete = false;
  CHECK(first_divergence(trace(3), cut)->note == "the candidate's trace is cut off here");
  CHECK(first_divergence(trace(2), cut)->note == "the candidate's trace is cut off after this step");
  CHECK(first_divergence(cut, trace(2))->note == "the reference's trace is cut off after this step");
  CHECK(first_divergence(cut, cut)->note == "both traces are cut off after this step");
  CHECK(first_divergence(cut, cut)->step == 2);

  Trace changed = cut;  // a difference in front of the cut comes first
  changed.records[1].values[0] ^= 1;
  CHECK(first_divergence(cut, changed)->step == 1);
  CHECK_FALSE(first_divergence(cut, changed)->healed);  // nobody knows how it ends
}

TEST_CASE("slots of other names are never compared: they diverge, whatever their values") {
  for (int field = 0; field < 6; ++field) {
    Slots slots = slots_of(1);
    TraceSlot& slot = slots[2].first;
    if (field == 0) slot.tensor = "conv2.weight";
    if (field == 1) slot.layer = "conv2";
    if (field == 2) slot.operation = "aten::mul";
    if (field == 3) slot.phase = Phase::loss;
    if (field == 4) slot.kind = SlotKind::written;
    if (field == 5) slot.shape = {3};
    Trace candidate = trace(2);
    candidate.records[1] = record(1, slots);
    const auto found = first_divergence(trace(2), candidate);
    REQUIRE(found);
    CHECK(found->step == 1);
    CHECK(found->tensor == "conv1.weight");
    CHECK(found->phase == Phase::backward);
    CHECK(found->only_reference == 1);
    CHECK(found->only_candidate == 1);
    CHECK(found->note ==
          "the streams differ in this step: 1 fingerprint only in the reference, 1 only in the "
          "candidate");
    CHECK(found->reference == 103);
    CHECK(found->candidate == 0);
    CHECK_FALSE(found->first_different_value);  // what both have agrees
  }
  Slots slots = slots_of(1);
  slots.pop_back();
  Trace shorter = trace(2);
  shorter.records[1] = record(1, slots);
  auto found = first_divergence(trace(2), shorter);
  REQUIRE(found);
  CHECK(found->phase == Phase::update);
  CHECK(found->only_reference == 1);
  found = first_divergence(shorter, trace(2));
  REQUIRE(found);
  CHECK(found->only_candidate == 1);
}

TEST_CASE("behind an operation that one side lacks, like is compared with like") {
  const Slots reference = {{operation(Phase::forward, "conv1", "aten::convolution"), 1},
                           {operation(Phase::forward, "relu1", "aten::relu"), 2},
                           {operation(Phase::backward, "conv1", "aten::convolution_backward"), 3},
                           {state(Phase::update, "conv1.weight"), 4}};
  Slots candidate = reference;
  candidate.insert(candidate.begin() + 1, {operation(Phase::forward, "conv1", "aten::clone"), 9});
  Trace left, right;
  left.records = {record(1, reference)};
  right.records = {record(1, candidate)};
  auto found = first_divergence(left, right);
  REQUIRE(found);
  CHECK(found->operation == "aten::clone");
  CHECK(found->only_candidate == 1);
  CHECK(found->last_equal->slot.operation == "aten::convolution");
  CHECK_FALSE(found->first_different_value);
  CHECK(found->healed);

  candidate[3].second ^= 1;
  right.records = {record(1, candidate)};
  found = first_divergence(left, right);
  REQUIRE(found);
  CHECK(found->operation == "aten::clone");
  REQUIRE(found->first_different_value);
  CHECK(found->first_different_value->slot.operation == "aten::convolution_backward");
}

TEST_CASE("a step that is missing in between diverges at it") {
  Trace candidate = trace(3);
  candidate.records.erase(candidate.records.begin() + 2);
  const auto found = first_divergence(trace(3), candidate);
  REQUIRE(found);
  CHECK(found->step == 2);
  CHECK(found->note == "the candidate goes on with step 3 (epoch 1, batch 3)");
}

}  // namespace

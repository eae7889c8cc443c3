#include "repro/compare/divergence.h"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace repro;

TraceRecord record(std::int64_t step) {
  const auto value = static_cast<Fingerprint>(step * 100);
  TraceRecord result{step, step == 0 ? 0 : 1, step, {}};
  if (step == 0) {
    result.entries = {{Phase::initialisation, "conv1.weight", "conv1", "", 1},
                      {Phase::initialisation, "conv1.bias", "conv1", "", 2}};
  } else {
    result.entries = {{Phase::batch, "input", "", "", value + 1},
                      {Phase::backward, "conv1.bias", "conv1", "", value + 2},
                      {Phase::backward, "conv1.weight", "conv1", "", value + 3},
                      {Phase::update, "conv1.weight", "conv1", "", value + 4}};
  }
  return result;
}
Trace trace(std::int64_t steps) {
  Trace result;
  for (std::int64_t step = 0; step <= steps; ++step) result.records.push_back(record(step));
  return result;
}

TEST_CASE("equal traces do not diverge") {
  CHECK_FALSE(first_divergence(trace(3), trace(3)));
  CHECK_FALSE(first_divergence(Trace{}, Trace{}));
}

TEST_CASE("every single changed value is found where it is") {
  const Trace reference = trace(3);
  for (std::size_t i = 0; i < reference.records.size(); ++i) {
    for (std::size_t j = 0; j < reference.records[i].entries.size(); ++j) {
      Trace candidate = reference;
      TraceEntry& changed = candidate.records[i].entries[j];
      changed.value ^= std::uint64_t{1} << 63;
      const auto found = first_divergence(reference, candidate);
      REQUIRE(found);
      CHECK(found->step == reference.records[i].step);
      CHECK(found->epoch == reference.records[i].epoch);
      CHECK(found->batch == reference.records[i].batch);
      CHECK(found->phase == changed.phase);
      CHECK(found->tensor == changed.tensor);
      CHECK(found->layer == changed.layer);
      CHECK(found->candidate == changed.value);
      CHECK(found->reference == reference.records[i].entries[j].value);
      CHECK(found->different_in_phase == 1);
      CHECK(found->entries_in_phase == (i == 0 || changed.phase == Phase::backward ? 2 : 1));
      CHECK(found->note.empty());
    }
  }
}

TEST_CASE("the first of several differences counts, also where states meet again") {
  Trace candidate = trace(5);
  candidate.records[2].entries[1].value ^= 1;
  candidate.records[2].entries[2].value ^= 1;
  candidate.records[5].entries[0].value ^= 1;
  const auto found = first_divergence(trace(5), candidate);
  REQUIRE(found);
  CHECK(found->step == 2);
  CHECK(found->tensor == "conv1.bias");
  CHECK(found->different_in_phase == 2);
}

TEST_CASE("a trace that ends early diverges there") {
  const auto found = first_divergence(trace(3), trace(2));
  REQUIRE(found);
  CHECK(found->step == 3);
  CHECK(found->phase == Phase::batch);
  CHECK(found->tensor == "input");
  CHECK(found->note == "the candidate's trace ends here");
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
  changed.records[1].entries[0].value ^= 1;
  CHECK(first_divergence(cut, changed)->step == 1);
}

TEST_CASE("entries of other names diverge with a note, whatever their values") {
  for (int field = 0; field < 4; ++field) {
    Trace candidate = trace(2);
    TraceEntry& entry = candidate.records[1].entries[2];
    if (field == 0) entry.tensor = "conv2.weight";
    if (field == 1) entry.layer = "conv2";
    if (field == 2) entry.operation = "aten::mul";
    if (field == 3) entry.phase = Phase::loss;
    const auto found = first_divergence(trace(2), candidate);
    REQUIRE(found);
    CHECK(found->step == 1);
    CHECK(found->tensor == "conv1.weight");
    CHECK(found->phase == Phase::backward);
    CHECK(found->note == "other entries from here on");
  }
  Trace shorter = trace(2);
  shorter.records[1].entries.pop_back();
  auto found = first_divergence(trace(2), shorter);
  REQUIRE(found);
  CHECK(found->phase == Phase::update);
  CHECK(found->note == "the candidate has no more entries in this step");
  found = first_divergence(shorter, trace(2));
  REQUIRE(found);
  CHECK(found->note == "the reference has no more entries in this step");
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

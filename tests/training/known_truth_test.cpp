// The auditor's own proof: faults are injected where the test knows them, and must be found exactly there.
// REPRO_KNOWN_TRUTH=all tries 330 faults and 110 pairs without one, else it is a part of them.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "repro/base/sha256.h"
#include "repro/base/text.h"
#include "repro/compare/trace_diff.h"
#include "repro/engine/libtorch/determinism.h"
#include "repro/engine/libtorch/engine.h"
#include "repro/engine/libtorch/facts.h"
#include "repro/train/loop.h"
#include "support/temporary_folder.h"
#include "support/tiny_spec.h"

namespace repro {
namespace {

bool whole() {
  const char* value = std::getenv("REPRO_KNOWN_TRUTH");
  return value != nullptr && std::string_view(value) == "all";
}

class Silent : public TrainingObserver {
 public:
  void on_step(const StepRow&, std::int64_t) override {}
  void on_warning(const std::string&) override {}
};

struct Trained {
  Trace trace;
  std::string weights, optimizer;  // SHA-256 of the files

  bool same_end(const Trained& other) const {
    return weights == other.weights && optimizer == other.optimizer;
  }
};

// Trains configs/tiny.json, 16 steps, as a worker would.
class Trainer {
 public:
  Trainer()
      : spec_(tiny_spec()),
        dataset_(spec_, "."),
        model_(infer_model(spec_.model, dataset_.observation_shape())) {
    use_threads(2);
  }

  Trained train(TraceLevel level, const std::optional<Injection>& injection = {}) const {
    const TemporaryFolder folder;
    const DeterminismGuard guard(spec_.execution.determinism);
    RunRequest request;
    request.spec = spec_;
    request.trace = level;
    request.injection = injection;
    request.save_optimizer = true;
    LibTorchEngine engine({.optimizer = spec_.optimizer});
    Silent observer;
    repro::train(request, dataset_, model_, engine, folder.path(), observer);
    Trained out;
    if (level != TraceLevel::none) out.trace = read_trace(folder.path() / "trace.bin");
    out.weights = sha256_hex_of_file(folder.path() / "weights.safetensors");
    out.optimizer = sha256_hex_of_file(folder.path() / "optimizer.safetensors");
    return out;
  }

 private:
  Spec spec_;
  Dataset dataset_;
  Model model_;
};

// Where a fault can go: a float32 slot of the reference's trace.
struct Place {
  std::int64_t step = 0;
  TraceSlot slot;
};

bool is_outcome(const TraceSlot& slot) {
  return slot.kind == SlotKind::result || slot.kind == SlotKind::written;
}

// What an operation changes first, where a step has it once in its phase and layer, so that its name says
// which one is meant.
std::vector<TraceSlot> operation_slots(const TraceRecord& record) {
  std::map<std::tuple<Phase, std::string, std::string>, std::vector<TraceSlot>> outcomes;
  for (const TraceSlot& slot : *record.layout) {
    if (is_outcome(slot)) outcomes[{slot.phase, slot.layer, slot.operation}].push_back(slot);
  }
  std::vector<TraceSlot> out;
  for (const auto& [key, slots] : outcomes) {
    std::set<std::string> names;
    for (const TraceSlot& slot : slots) names.insert(slot.tensor);
    if (names.size() == slots.size() && slots.front().dtype == DType::float32) out.push_back(slots.front());
  }
  return out;
}

// Places of every phase and kind, for the first, a middle and the last step.
std::vector<Place> places_of(const Trace& operations) {
  std::vector<Place> out;
  for (const std::int64_t step : {0, 1, 8, 16}) {
    const TraceRecord& record = operations.records[static_cast<std::size_t>(step)];
    for (const TraceSlot& slot : *record.layout) {
      const bool mean_at_start = slot.phase == Phase::initialisation && slot.tensor == "input.mean";
      if (slot.kind == SlotKind::state && slot.phase != Phase::validation && !mean_at_start) {
        out.push_back({step, slot});
      }
    }
    for (const TraceSlot& slot : operation_slots(record)) out.push_back({step, slot});
  }
  return out;
}

// A pair of changes that makes one difference: the reference's, if it needs one, and the candidate's.
struct Fault {
  std::optional<ElementChange> reference;
  ElementChange candidate;
};

Fault random_fault(std::mt19937& random) {
  const auto change = [](const char* text) { return parse_element_change(text, "test"); };
  switch (random() % 6) {
    case 0: return {std::nullopt, change("ulp=1")};
    case 1: return {std::nullopt, change("ulp=-1")};
    case 2: return {std::nullopt, {ElementChange::Kind::bit, static_cast<std::int64_t>(random() % 23)}};
    case 3: return {std::nullopt, {ElementChange::Kind::bit, 31}};
    case 4: return {change("bits=0"), change("bits=80000000")};          // the sign of a zero
    default: return {change("bits=7fc00000"), change("bits=7fc00001")};  // the payload of a NaN
  }
}

Injection injection_at(const Place& place, std::mt19937& random) {
  Injection out;
  out.run = "test";
  out.step = place.step;
  out.phase = place.slot.phase;
  const std::string layer = place.slot.layer.empty() ? "" : place.slot.layer + "/";
  out.target = place.slot.operation.empty() ? place.slot.tensor : layer + place.slot.operation;
  out.index = random() % element_count(place.slot.shape);
  return out;
}

// The documented way in words, so that a failure can be repeated.
std::string description(const Injection& injection, const Fault& fault) {
  return text_of(injection) + (fault.reference ? " against " + text_of(*fault.reference) : "");
}

void check_found(const Trained& reference, const Trained& candidate, const Place& place) {
  const TraceDiff diff = diff_traces(reference.trace, candidate.trace);
  REQUIRE(diff.verdict == Verdict::different);
  const Divergence& found = *diff.divergence;
  CHECK(found.step == place.step);
  CHECK(found.phase == place.slot.phase);
  CHECK(found.kind == place.slot.kind);
  CHECK(found.layer == place.slot.layer);
  CHECK(found.operation == place.slot.operation);
  CHECK(found.tensor == place.slot.tensor);
  CHECK(found.only_reference + found.only_candidate == 0);
  // A buffer does not belong to the optimiser's files; all else that lasts does.
  CHECK(found.healed == reference.same_end(candidate));
}

TEST_CASE("every injected fault is found at its step, phase and tensor") {
  const Trainer trainer;
  const Trained steps = trainer.train(TraceLevel::steps), operations = trainer.train(TraceLevel::ops);
  REQUIRE(steps.same_end(operations));
  const std::vector<Place> places = places_of(operations.trace);
  std::set<Phase> phases;
  std::mt19937 random(20261130);
  std::size_t healed = 0;
  const int faults = whole() ? 330 : 90;
  for (int i = 0; i < faults; ++i) {
    const Place& place = places[random() % places.size()];
    const Fault fault = random_fault(random);
    Injection injection = injection_at(place, random);
    const TraceLevel level = place.slot.operation.empty() ? TraceLevel::steps : TraceLevel::ops;
    std::optional<Trained> changed_reference;
    if (fault.reference) {
      injection.change = *fault.reference;
      changed_reference = trainer.train(level, injection);
    }
    injection.change = fault.candidate;
    INFO(description(injection, fault));
    const Trained& plain = level == TraceLevel::steps ? steps : operations;
    const Trained& reference = changed_reference ? *changed_reference : plain;
    const Trained candidate = trainer.train(level, injection);
    check_found(reference, candidate, place);
    healed += reference.same_end(candidate) ? 1 : 0;
    phases.insert(place.slot.phase);
  }
  CHECK(phases.size() == 7);  // all but validation
  CHECK(healed > 0);          // both kinds were met
  CHECK(healed < static_cast<std::size_t>(faults));
}

TEST_CASE("trainings without faults are identical, whatever is traced") {
  const Trainer trainer;
  const Trained untraced = trainer.train(TraceLevel::none);
  const Trained steps = trainer.train(TraceLevel::steps), operations = trainer.train(TraceLevel::ops);
  CHECK(untraced.same_end(steps));
  CHECK(untraced.same_end(operations));
  for (int i = 0; i < (whole() ? 110 : 20); ++i) {
    const TraceLevel level = i % 2 == 0 ? TraceLevel::steps : TraceLevel::ops;
    const Trained& reference = i % 2 == 0 ? steps : operations;
    const Trained again = trainer.train(level);
    REQUIRE(diff_traces(reference.trace, again.trace).verdict == Verdict::identical);
    REQUIRE(reference.same_end(again));
  }
  // What both kinds of traces have agrees as well.
  const TraceDiff across = diff_traces(steps.trace, operations.trace);
  CHECK(across.verdict == Verdict::identical);
  CHECK(across.states_only);
}

TEST_CASE("a fault that cannot take place fails the run") {
  const Trainer trainer;
  const auto failure = [&](const char* injection) {
    try {
      trainer.train(TraceLevel::steps, parse_injection(injection, "test"));
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  CHECK(failure("x,3,update,conv1.weight,ulp=1").empty());
  CHECK(failure("x,3,forward,aten::unheard_of,ulp=1").find("did not take place") != std::string::npos);
  CHECK(failure("x,99,update,conv1.weight,ulp=1").find("the training has 16 steps") != std::string::npos);
  CHECK(failure("x,3,update,conv9.weight,ulp=1").find("there is nothing named") != std::string::npos);
  CHECK(failure("x,3,update,conv1.weight,99999,ulp=1").find("there is no index 99,999") != std::string::npos);
}

}  // namespace
}  // namespace repro

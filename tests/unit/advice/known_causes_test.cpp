#include "repro/advice/known_causes.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace repro {
namespace {

Circumstances on(const char* device, std::int64_t threads = 2) {
  return default_circumstances(device, threads);
}

Circumstances with_algorithms(const char* device) {
  return asked_circumstances(DeterminismSpec{}, device, 2);
}

TEST_CASE("a known cause is found under its condition, and not otherwise") {
  const std::string_view operation = "aten::_index_put_impl_";
  const KnownCause* cause = find_cause(operation, on("cpu"));
  REQUIRE(cause != nullptr);
  CHECK(cause->cause == "adds in an order that depends on threads");
  CHECK(cause->remedy.find("\"algorithms\": true") != std::string_view::npos);
  CHECK(known_of(operation, on("cpu")).knowledge == Knowledge::nondeterministic);
  CHECK(known_of(operation, on("cpu")).cause == cause);

  CHECK(find_cause(operation, with_algorithms("cpu")) == nullptr);
  CHECK(known_of(operation, with_algorithms("cpu")).knowledge == Knowledge::deterministic);
  CHECK(find_cause(operation, on("cpu", 1)) == nullptr);
  CHECK(known_of(operation, on("cpu", 1)).knowledge == Knowledge::deterministic);
  CHECK(find_cause(operation, on("cuda")) == nullptr);
  CHECK(known_of(operation, on("cuda")).knowledge == Knowledge::unknown);
}

TEST_CASE("of unknown operations and devices nothing is said") {
  for (const char* operation : {"aten::nowhere", "aten::", "", "aten::indexed", "aten::index_pu", "relu"}) {
    INFO(operation);
    for (const Circumstances& under :
         {on("cpu"), on("cuda"), with_algorithms("cpu"), with_algorithms("cuda")}) {
      CHECK(find_cause(operation, under) == nullptr);
      CHECK(known_of(operation, under).knowledge == Knowledge::unknown);
    }
  }
  for (const char* device : {"mps", "", "auto", "cudas", "cpu:0"}) {
    INFO(device);
    CHECK(find_cause("aten::_index_put_impl_", on(device)) == nullptr);
    CHECK(known_of("aten::relu", on(device)).knowledge == Knowledge::unknown);
  }
}

TEST_CASE("an operation is found with its overload and its number of the device") {
  CHECK(known_of("aten::sum.dim_IntList", on("cpu")).knowledge == Knowledge::deterministic);
  CHECK(known_of("aten::index.Tensor", on("cpu")).knowledge == Knowledge::deterministic);
  CHECK(find_cause("aten::conv2d.padding", on("cuda:3")) != nullptr);
  CHECK(find_cause("aten::index_put_", on("cpu")) != nullptr);  // through '*'
}

TEST_CASE("convolutions on a GPU: free, restricted, measured, or not cuDNN's") {
  const std::string_view operation =
      GENERATE("aten::conv2d", "aten::conv_transpose2d", "aten::convolution", "aten::convolution_backward");
  INFO(operation);
  const auto knowledge = [&](const Circumstances& under) { return known_of(operation, under).knowledge; };
  Circumstances under = on("cuda");
  CHECK(knowledge(under) == Knowledge::nondeterministic);
  CHECK(knowledge(with_algorithms("cuda")) == Knowledge::deterministic);
  under.cudnn_deterministic = true;
  CHECK(knowledge(under) == Knowledge::deterministic);
  under.cudnn_benchmark = true;
  CHECK(knowledge(under) == Knowledge::nondeterministic);
  CHECK(find_cause(operation, under)->condition == Condition::cudnn_benchmark);
  under = on("cuda");
  under.cudnn = false;
  CHECK(knowledge(under) == Knowledge::unknown);
}

TEST_CASE("an operation without a deterministic algorithm fails once only such are allowed") {
  const std::string_view operation = "aten::grid_sampler_2d_backward";
  CHECK(known_of(operation, on("cuda")).knowledge == Knowledge::nondeterministic);
  const Known known = known_of(operation, with_algorithms("cuda"));
  CHECK(known.knowledge == Knowledge::fails);
  CHECK(known.cause != nullptr);
  CHECK(find_cause(operation, with_algorithms("cuda")) == nullptr);
  CHECK(known_of(operation, on("cpu")).knowledge == Knowledge::unknown);
}

TEST_CASE("TF32 is a caveat of GPUs that have it on, not a cause") {
  const auto has_tf32 = [](const Circumstances& under) {
    for (const KnownCaveat& caveat : known_caveats()) {
      if (caveat.condition == Condition::tf32 && applies(caveat, under)) return true;
    }
    return false;
  };
  CHECK(has_tf32(on("cuda")));
  CHECK_FALSE(has_tf32(with_algorithms("cuda")));
  CHECK_FALSE(has_tf32(on("cpu")));
}

TEST_CASE("every entry is whole") {
  const auto on_known_device = [](std::string_view device) {
    return device == "cpu" || device == "cuda" || device == "any";
  };
  const auto is_operation = [](std::string_view operation) {
    return operation.starts_with("aten::") && operation.size() > 6 &&
           operation.find('*') >= operation.size() - 1 && operation.find('.') == std::string_view::npos;
  };
  const auto is_clause = [](std::string_view text) {
    return text.size() > 5 && !text.ends_with('.') && text.find('|') == std::string_view::npos;
  };
  REQUIRE_FALSE(known_causes().empty());
  for (const KnownCause& entry : known_causes()) {
    INFO(entry.operation);
    CHECK((is_operation(entry.operation) && on_known_device(entry.device)));
    CHECK((is_clause(entry.cause) && is_clause(entry.remedy) && is_clause(entry.source)));
    CHECK_FALSE(name_of(entry.condition).empty());
    CHECK((entry.with_algorithms == Knowledge::deterministic || entry.with_algorithms == Knowledge::fails));
  }
  REQUIRE_FALSE(known_deterministic().empty());
  for (const KnownDeterministic& entry : known_deterministic()) {
    INFO(entry.operation);
    CHECK((is_operation(entry.operation) && on_known_device(entry.device)));
    CHECK((is_clause(entry.reason) && is_clause(entry.source)));
    CHECK_FALSE(name_of(entry.condition).empty());
  }
  REQUIRE_FALSE(known_caveats().empty());
  for (const KnownCaveat& entry : known_caveats()) {
    INFO(entry.text);
    CHECK((is_clause(entry.text) && is_clause(entry.remedy) && is_clause(entry.source)));
    CHECK(on_known_device(entry.device));
  }
}

// An entry that says "not deterministic" and one that says "deterministic" of the same circumstances would
// hide each other.
TEST_CASE("the tables do not contradict each other") {
  for (const KnownDeterministic& good : known_deterministic()) {
    for (const bool algorithms : {false, true}) {
      for (const bool restricted : {false, true}) {
        for (const bool benchmark : {false, true}) {
          for (const std::int64_t threads : {1, 2}) {
            Circumstances under = on(good.device == "cuda" ? "cuda" : "cpu", threads);
            under.algorithms = algorithms;
            under.cudnn_deterministic = restricted;
            under.cudnn_benchmark = benchmark;
            if (!holds(good.condition, under)) continue;
            INFO(good.operation << " on " << under.device);
            CHECK(known_of(good.operation.substr(0, good.operation.find('*')), under).cause == nullptr);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace repro

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "repro/compare/diff.h"
#include "tensors.h"

namespace {

using namespace repro;

bool within(const Tensor& reference, const Tensor& candidate, const char* rule) {
  return diff_tensors("t", reference.view(), candidate.view(), {.rule = parse_rule(rule)})
      .within_rule.value();
}

struct Row {
  const char* what;
  double reference, candidate;
  const char* passes;  // the rules that it passes, of those below
};

TEST_CASE("a pair of numbers under every rule") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const double other_nan = -nan, huge = std::numeric_limits<double>::max();
  const double next = std::nextafter(1.0, 2.0);
  const Row rows[] = {
      {"equal", 1, 1, "bitwise value ulp=0 ulp=1 tolerance=0,0 tolerance=0,1e9 tolerance=2,0"},
      {"equal NaN", nan, nan, "bitwise value ulp=0 ulp=1 tolerance=0,0 tolerance=0,1e9 tolerance=2,0"},
      {"equal infinity", inf, inf, "bitwise value ulp=0 ulp=1 tolerance=0,0 tolerance=0,1e9 tolerance=2,0"},
      {"zeros", 0.0, -0.0, "value ulp=0 ulp=1 tolerance=0,0 tolerance=0,1e9 tolerance=2,0"},
      {"NaN bits", nan, other_nan, "value ulp=0 ulp=1 tolerance=0,0 tolerance=0,1e9 tolerance=2,0"},
      {"NaN against a number", nan, 1, ""},
      {"a number against NaN", 1, nan, ""},
      {"infinity against the largest", inf, huge, ""},
      {"the largest against infinity", huge, inf, ""},
      {"infinities of two signs", inf, -inf, ""},
      {"neighbours", 1, next, "ulp=1 tolerance=0,1e9 tolerance=2,0"},
      {"far apart", 1, 1e6, "tolerance=0,1e9"},
      {"reference decides", 0, 1, "tolerance=0,1e9"},
      {"reference decides, the other way", 1, 0, "tolerance=0,1e9 tolerance=2,0"},
      {"at the bound", 1, 3, "tolerance=0,1e9 tolerance=2,0"},
      {"beyond the bound", 1, std::nextafter(3.0, 4.0), "tolerance=0,1e9"},
      {"an overflowing difference", huge, -huge, "tolerance=2,0"},
      {"an overflowing difference beyond the bound", huge * 0.25, -huge, ""},
      {"an overflowing difference beyond a bound that overflows too", huge * 0.6, -huge, ""},
  };
  for (const Row& row : rows) {
    for (const char* rule :
         {"bitwise", "value", "ulp=0", "ulp=1", "tolerance=0,0", "tolerance=0,1e9", "tolerance=2,0"}) {
      const bool expected =
          (" " + std::string(row.passes) + " ").find(" " + std::string(rule) + " ") != std::string::npos;
      CAPTURE(row.what, rule);
      CHECK(within(doubles({row.reference}), doubles({row.candidate}), rule) == expected);
      // One pair decides for a tensor of many.
      std::vector<double> many(3000, 1.0), others(3000, 1.0);
      many[2047] = row.reference;
      others[2047] = row.candidate;
      CHECK(within(doubles(many), doubles(others), rule) == expected);
    }
  }
}

TEST_CASE("integers and booleans are exact under every rule") {
  for (const char* rule : {"bitwise", "value", "ulp=5", "tolerance=1,100"}) {
    CAPTURE(rule);
    CHECK(
        within(tensor_of<std::int32_t>(DType::int32, {5}), tensor_of<std::int32_t>(DType::int32, {5}), rule));
    CHECK_FALSE(
        within(tensor_of<std::int32_t>(DType::int32, {5}), tensor_of<std::int32_t>(DType::int32, {6}), rule));
    CHECK_FALSE(within(tensor_of<std::uint8_t>(DType::boolean, {0}),
                       tensor_of<std::uint8_t>(DType::boolean, {1}), rule));
  }
}

TEST_CASE("the tolerance sees the reference, not the larger side") {
  CHECK(within(floats({2}), floats({1}), "tolerance=0.5,0"));
  CHECK_FALSE(within(floats({1}), floats({2}), "tolerance=0.5,0"));
}

TEST_CASE("the rule does not change kinds and counts") {
  for (const char* rule : {"bitwise", "value", "ulp=10", "tolerance=1,1"}) {
    const TensorDiff diff = diff_tensors("t", floats({0, 1, 2}).view(), floats({-0.0F, 1, 2.5F}).view(),
                                         {.rule = parse_rule(rule)});
    CHECK(diff.kind == DifferenceKind::value);
    CHECK(diff.different == 2);
    CHECK(diff.max_abs() == 0.5);
  }
}

}  // namespace

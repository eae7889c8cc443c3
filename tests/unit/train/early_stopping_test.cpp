#include "repro/train/early_stopping.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

namespace repro {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("patience counts losses that are not smaller than the smallest so far") {
  EarlyStopping stopping(2);
  CHECK_FALSE(stopping.should_stop(3));
  CHECK_FALSE(stopping.should_stop(3));  // equal is no improvement
  CHECK_FALSE(stopping.should_stop(2));  // an improvement starts the count anew
  CHECK_FALSE(stopping.should_stop(2.5));
  CHECK(stopping.should_stop(2.5));
}

TEST_CASE("a NaN is no improvement, and does not become the smallest loss") {
  EarlyStopping stopping(2);
  CHECK_FALSE(stopping.should_stop(nan));
  CHECK_FALSE(stopping.should_stop(1));
  CHECK_FALSE(stopping.should_stop(nan));
  CHECK(stopping.should_stop(nan));
}

TEST_CASE("without a patience nothing stops") {
  EarlyStopping stopping(std::nullopt);
  for (int i = 0; i < 1000; ++i) REQUIRE_FALSE(stopping.should_stop(nan));
}

}  // namespace
}  // namespace repro

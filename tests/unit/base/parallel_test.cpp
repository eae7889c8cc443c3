#include "repro/base/parallel.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace repro;

TEST_CASE("every piece is done once, on any number of threads") {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    for (const std::uint64_t count : {0U, 1U, 5U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      parallel_for(count, threads, [&](std::uint64_t i) { ++done[i]; });
      for (const auto& times : done) REQUIRE(times == 1);
    }
  }
}

TEST_CASE("the exception of the lowest piece comes out, and ends the work") {
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<int> calls{0};
    std::string caught;
    try {
      parallel_for(1'000'000, threads, [&](std::uint64_t i) {
        ++calls;
        if (i >= 10) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    CHECK(caught == "10");
    CHECK(calls < 1000);
  }
}

}  // namespace

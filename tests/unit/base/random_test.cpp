#include "repro/base/random.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "repro/base/bytes.h"
#include "repro/base/sha256.h"

namespace repro {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST_CASE("Philox gives the published vectors of Random123") {
  CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is Philox with the name as key, as its header defines") {
  const Sha256 digest = sha256(as_byte_view("noise/3/17"));
  const std::array<std::uint32_t, 2> key = {load<std::uint32_t>(digest, 0), load<std::uint32_t>(digest, 4)};
  RandomStream stream(5, "noise/3/17");
  for (std::uint32_t block = 0; block < 3; ++block) {
    for (const std::uint32_t word : philox4x32({block, 0, 5, 0}, key)) CHECK(stream.next() == word);
  }
}

TEST_CASE("streams of another seed or name are others, the same is the same") {
  const auto first = [](std::uint32_t seed, std::string_view name) {
    RandomStream stream(seed, name);
    return std::array{stream.next(), stream.next()};
  };
  CHECK(first(0, "a") == first(0, "a"));
  CHECK(first(0, "a") != first(1, "a"));
  CHECK(first(0, "a") != first(0, "b"));
}

TEST_CASE("below is in range and unbiased") {
  RandomStream stream(0, "below");
  std::array<int, 3> counts{};
  for (int i = 0; i < 30000; ++i) ++counts.at(stream.below(3));
  for (const int count : counts) {
    CHECK(count > 9500);  // 6 standard deviations: 490
    CHECK(count < 10500);
  }
  CHECK(stream.below(1) == 0);
  // 3/4 of 2^32: multiplication alone would give the multiples of 3 twice the chance of others.
  int multiples = 0;
  for (int i = 0; i < 30000; ++i) multiples += stream.below(0xC0000000) % 3 == 0 ? 1 : 0;
  CHECK(multiples > 9500);
  CHECK(multiples < 10500);
}

TEST_CASE("unit24 is a multiple of 2^-24 in [0, 1)") {
  RandomStream stream(0, "unit");
  RandomStream words(0, "unit");
  for (int i = 0; i < 1000; ++i) {
    CHECK(stream.unit24() * 0x1p24 == static_cast<double>(words.next() >> 8));
  }
}

}  // namespace
}  // namespace repro

#include "repro/data/noise.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "repro/base/random.h"
#include "repro/data/random_words.h"

namespace repro {
namespace {

std::vector<std::uint8_t> noisy(double density, std::size_t size, std::string_view stream = "n",
                                std::uint32_t seed = 0) {
  std::vector<std::uint8_t> image(size, 100);
  std::vector<std::uint32_t> workspace;
  SaltAndPepper(density).add(seed, stream, workspace, image);
  return image;
}

TEST_CASE("bulk random numbers are those of the stream") {
  for (const std::size_t count : {0U, 1U, 4U, 7U, 784U}) {
    std::vector<std::uint32_t> words(count);
    fill_from_stream(4294967295, "noise/3/17", words);
    RandomStream random(4294967295, "noise/3/17");
    REQUIRE(
        std::all_of(words.begin(), words.end(), [&](std::uint32_t word) { return word == random.next(); }));
  }
}

TEST_CASE("noise has the asked density, half pepper and half salt") {
  constexpr std::size_t size = 1000000;
  const auto image = noisy(0.05, size);
  const auto share = [&](int value) {
    return static_cast<double>(std::count(image.begin(), image.end(), value)) / size;
  };
  CHECK(std::fabs(share(0) - 0.025) < 0.001);  // 6 standard deviations
  CHECK(std::fabs(share(255) - 0.025) < 0.001);
  CHECK(share(0) + share(255) + share(100) == 1);
}

TEST_CASE("noise follows the thresholds number by number") {
  const auto image = noisy(0.5, 5000);
  RandomStream random(0, "n");
  for (const std::uint8_t pixel : image) {
    const std::uint32_t r = random.next();
    REQUIRE(pixel == (r < 1U << 30 ? 0 : r < 1U << 31 ? 255 : 100));
  }
}

TEST_CASE("densities 0 and 1 are exact") {
  const auto none = noisy(0, 100000);
  CHECK(std::count(none.begin(), none.end(), 100) == 100000);
  const auto all = noisy(1, 100000);
  CHECK(std::count(all.begin(), all.end(), 100) == 0);
  const auto pepper = std::count(all.begin(), all.end(), 0);
  CHECK(pepper > 49000);
  CHECK(pepper < 51000);
}

TEST_CASE("seed and stream decide the noise") {
  CHECK((noisy(0.05, 784) == noisy(0.05, 784)));
  CHECK((noisy(0.05, 784) != noisy(0.05, 784, "n", 1)));
  CHECK((noisy(0.05, 784) != noisy(0.05, 784, "m")));
}

}  // namespace
}  // namespace repro

#include "repro/data/digits.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

#include "repro/base/error.h"
#include "repro/base/sha256.h"

namespace repro {
namespace {

constexpr std::size_t image_size = 28 * 28;

std::string hash_of(const ImageSet& set) { return sha256_hex(bytes_of(std::span(set.pixels))); }

std::span<const std::uint8_t> image(const ImageSet& set, std::int64_t i) {
  return std::span(set.pixels).subspan(static_cast<std::size_t>(i) * image_size, image_size);
}

// Share of the images from `first` on that are nearest to the centroid of their own class; the
// centroids are those of the images before.
double nearest_centroid_accuracy(const ImageSet& set, std::int64_t first) {
  std::array<std::array<double, image_size>, 10> centroids{};
  for (std::int64_t i = 0; i < first; ++i) {
    auto& centroid = centroids[set.labels[static_cast<std::size_t>(i)]];
    for (std::size_t p = 0; p < image_size; ++p) {
      centroid[p] += image(set, i)[p] * 10.0 / static_cast<double>(first);
    }
  }
  std::int64_t correct = 0;
  for (std::int64_t i = first; i < set.count; ++i) {
    std::array<double, 10> distance{};
    for (std::size_t k = 0; k < 10; ++k) {
      for (std::size_t p = 0; p < image_size; ++p) {
        const double d = image(set, i)[p] - centroids[k][p];
        distance[k] += d * d;
      }
    }
    const auto nearest = std::min_element(distance.begin(), distance.end()) - distance.begin();
    correct += nearest == set.labels[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return static_cast<double>(correct) / static_cast<double>(set.count - first);
}

TEST_CASE("digits are the same bytes on every machine") {
  CHECK(hash_of(make_digits(10000, 0)) == "ee5830166efbc25dcc2a44b40ab6568bbce75423bd083ce6897a8b61f059e4f6");
  CHECK(hash_of(make_digits(10000, 4294967295)) ==
        "070f5034def175a2465ed5255d3510d0555040841fd3c34dc8e4cc63baaae590");
}

TEST_CASE("digits are ten balanced classes, and no two images are equal") {
  const ImageSet set = make_digits(10000, 0);
  REQUIRE((set.pixels.size() == 10000 * image_size));
  std::set<std::vector<std::uint8_t>> different;
  for (std::int64_t i = 0; i < set.count; ++i) {
    REQUIRE(set.labels[static_cast<std::size_t>(i)] == i % 10);
    const auto pixels = image(set, i);
    different.emplace(pixels.begin(), pixels.end());
    REQUIRE(*std::max_element(pixels.begin(), pixels.end()) >= 120);
    REQUIRE(std::count(pixels.begin(), pixels.end(), 0) > 300);
  }
  CHECK(different.size() == 10000);
}

TEST_CASE("a simple classifier learns something from digits, but not everything") {
  const double accuracy = nearest_centroid_accuracy(make_digits(6000, 0), 5000);
  CHECK(accuracy > 0.6);
  CHECK(accuracy < 0.97);
}

TEST_CASE("a digit depends on seed and index only") {
  const ImageSet ten = make_digits(10, 7);
  const ImageSet twenty = make_digits(20, 7);
  CHECK(std::equal(ten.pixels.begin(), ten.pixels.end(), twenty.pixels.begin()));
  CHECK((make_digits(10, 8).pixels != ten.pixels));
}

TEST_CASE("a count of digits below 1 is refused") {
  CHECK_THROWS_AS(make_digits(0, 0), Error);
  CHECK(make_digits(1, 0).count == 1);
}

}  // namespace
}  // namespace repro

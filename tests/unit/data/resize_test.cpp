#include "repro/data/resize.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "repro/base/random.h"

namespace repro {
namespace {

std::vector<std::uint8_t> random_image(std::size_t size, std::string_view stream) {
  RandomStream random(0, stream);
  std::vector<std::uint8_t> out(size);
  for (auto& pixel : out) pixel = static_cast<std::uint8_t>(random.next() >> 24);
  return out;
}

std::vector<double> resized(const BicubicResizer& resizer, std::span<const std::uint8_t> in) {
  std::vector<double> out(static_cast<std::size_t>(resizer.rows() * resizer.columns()));
  BicubicResizer::Workspace workspace;
  resizer.resize(in, workspace, out);
  return out;
}

// imresize by its description, in long double: weights of all samples from -3 in to 4 in.
long double keys(long double d) {
  d = std::fabs(d);
  if (d <= 1) return 1.5L * d * d * d - 2.5L * d * d + 1;
  if (d < 2) return -0.5L * d * d * d + 2.5L * d * d - 4 * d + 2;
  return 0;
}
std::vector<long double> reference_weights(std::int64_t x, std::int64_t in, std::int64_t out) {
  const long double ratio = static_cast<long double>(in) / static_cast<long double>(out);
  const long double centre = (static_cast<long double>(x) + 0.5L) * ratio - 0.5L;
  const long double widening = std::max(ratio, 1.0L);
  std::vector<long double> weights(static_cast<std::size_t>(in));
  for (std::int64_t k = -3 * in; k < 4 * in; ++k) {
    const std::int64_t inside = (k + 4 * in) % (2 * in);
    const std::int64_t source = inside < in ? inside : 2 * in - 1 - inside;
    weights[static_cast<std::size_t>(source)] += keys((centre - static_cast<long double>(k)) / widening);
  }
  const long double sum = std::accumulate(weights.begin(), weights.end(), 0.0L);
  for (auto& w : weights) w /= sum;
  return weights;
}
// Largest difference of the resizer from the reference, in grey levels.
double largest_error(std::int64_t rows_in, std::int64_t columns_in, std::int64_t rows_out,
                     std::int64_t columns_out) {
  const auto image = random_image(static_cast<std::size_t>(rows_in * columns_in), "resize");
  const BicubicResizer resizer(rows_in, columns_in, rows_out, columns_out);
  const std::vector<double> result = resized(resizer, image);
  long double largest = 0;
  for (std::int64_t y = 0; y < rows_out; ++y) {
    const auto along_rows = reference_weights(y, rows_in, rows_out);
    for (std::int64_t x = 0; x < columns_out; ++x) {
      const auto along_columns = reference_weights(x, columns_in, columns_out);
      long double expected = 0;
      for (std::size_t r = 0; r < along_rows.size(); ++r) {
        for (std::size_t c = 0; c < along_columns.size(); ++c) {
          expected += along_rows[r] * along_columns[c] * image[r * along_columns.size() + c];
        }
      }
      const long double found =
          static_cast<long double>(result[static_cast<std::size_t>(y * columns_out + x)]) /
          static_cast<long double>(resizer.denominator());
      largest = std::max(largest, std::fabs(found - expected));
    }
  }
  return static_cast<double>(largest);
}

TEST_CASE("28 to 32 has exact weights over 2^13") {
  const ResizeAxis axis = bicubic_axis(28, 32);
  CHECK(axis.exact);
  CHECK(axis.denominator == 8192);
  CHECK(axis.taps == 4);
  // Output 1 lies at 13/16: samples -1 (reflected to 0) to 2 at distances 29, 13, 3, 19 / 16.
  CHECK(std::vector<double>(axis.weight.begin() + 4, axis.weight.begin() + 8) ==
        std::vector<double>{-117, 1263, 7553, -507});
  CHECK(std::vector<std::size_t>(axis.index.begin() + 4, axis.index.begin() + 8) ==
        std::vector<std::size_t>{0, 0, 1, 2});
}

TEST_CASE("a resize agrees with imresize's definition") {
  CHECK(largest_error(28, 28, 32, 32) < 1e-13);  // exact, up to the reference's rounding
  CHECK(largest_error(7, 5, 64, 33) < 1e-13);
  CHECK(largest_error(28, 28, 14, 7) < 1e-13);  // shrinking by whole numbers is exact as well
  CHECK(largest_error(9, 31, 10, 6) < 1e-4);    // rounded weights
  CHECK(largest_error(3, 2, 101, 97) < 1e-4);
  CHECK(largest_error(1, 1, 5, 3) < 1e-13);
  CHECK(largest_error(3, 4, 1, 1) < 1e-3);
}

TEST_CASE("where exactness ends") {
  for (std::int64_t out = 1; out <= 64; ++out) {
    for (std::int64_t in = 1; in <= out; ++in) REQUIRE(bicubic_axis(in, out).exact);
  }
  CHECK_FALSE(bicubic_axis(28, 67).exact);
  CHECK_FALSE(bicubic_axis(31, 28).exact);
}

TEST_CASE("weights are integers that add up to the denominator, whatever the sizes") {
  for (const auto& [in, out] :
       {std::pair{28, 32}, {31, 6}, {2, 97}, {4096, 1}, {1, 4096}, {97, 4096}, {4096, 4095}}) {
    const ResizeAxis axis = bicubic_axis(in, out);
    for (std::int64_t x = 0; x < out; ++x) {
      const auto first = axis.weight.begin() + x * axis.taps;
      REQUIRE(std::accumulate(first, first + axis.taps, 0.0) == static_cast<double>(axis.denominator));
      REQUIRE(std::all_of(first, first + axis.taps, [](double w) { return w == std::floor(w); }));
    }
    CHECK(axis.gain < 1.4);
  }
}

TEST_CASE("a resize to the same size changes nothing") {
  const auto image = random_image(28 * 20, "identity");
  const BicubicResizer resizer(28, 20, 28, 20);
  CHECK(resizer.denominator() == 1);
  const std::vector<double> result = resized(resizer, image);
  CHECK(std::equal(result.begin(), result.end(), image.begin()));
}

TEST_CASE("a resize keeps constants, and commutes with mirroring") {
  const BicubicResizer resizer(28, 28, 32, 32);
  const std::vector<std::uint8_t> constant(28 * 28, 201);
  const std::vector<double> flat = resized(resizer, constant);
  CHECK(std::all_of(flat.begin(), flat.end(), [&](double v) { return v == 201 * resizer.denominator(); }));

  auto image = random_image(28 * 28, "mirror");
  std::vector<double> upright = resized(resizer, image);
  std::reverse(image.begin(), image.end());
  const std::vector<double> turned = resized(resizer, image);
  CHECK((upright != turned));
  std::reverse(upright.begin(), upright.end());
  CHECK((upright == turned));
}

TEST_CASE("overshoot is kept") {
  std::vector<std::uint8_t> edge(28 * 28, 0);
  std::fill(edge.begin() + 14 * 28, edge.end(), 255);
  const BicubicResizer resizer(28, 28, 32, 32);
  const std::vector<double> result = resized(resizer, edge);
  CHECK(*std::min_element(result.begin(), result.end()) < 0);
  CHECK(*std::max_element(result.begin(), result.end()) > 255 * resizer.denominator());
}

}  // namespace
}  // namespace repro

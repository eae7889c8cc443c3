#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "repro/data/resize.h"

namespace repro {
namespace {

__extension__ using Int128 = __int128;

constexpr std::int64_t largest_denominator = std::int64_t{1} << 22;

// The samples that output x draws from, before reflection: weights[i] belongs to sample first + i.
struct Taps {
  std::int64_t first = 0;
  std::vector<std::int64_t> weights;
  std::int64_t sum = 0;
};

// 2 d^3 times Keys' kernel at n / d, for n >= 0.
std::int64_t keys_kernel(std::int64_t n, std::int64_t d) {
  if (n >= 2 * d) return 0;
  if (n <= d) return n * n * (3 * n - 5 * d) + 2 * d * d * d;
  return n * (n * (5 * d - n) - 8 * d * d) + 4 * d * d * d;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {  // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

Taps taps_at(std::int64_t x, std::int64_t in, std::int64_t out) {
  // In units of 1 / (2 out): u = centre; sample k is at 2 out k. The kernel is zero from distance
  // 2 max(1, in/out) on, which is 4 max(in, out) in these units.
  const std::int64_t centre = (2 * x + 1) * in - out;
  const std::int64_t unit = 2 * std::max(in, out);
  // All distances are multiples of this; leaving it out keeps the numbers small.
  const std::int64_t common = std::gcd(std::gcd(2 * in, 2 * out), in - out);
  Taps taps;
  taps.first = floor_quotient(centre - 2 * unit, 2 * out);
  const std::int64_t last = floor_quotient(centre + 2 * unit, 2 * out) + 1;
  for (std::int64_t k = taps.first; k <= last; ++k) {
    const std::int64_t distance = std::abs(centre - 2 * out * k);
    taps.weights.push_back(keys_kernel(distance / common, unit / common));
  }
  const auto is_set = [](std::int64_t w) { return w != 0; };
  const auto first_set = std::find_if(taps.weights.begin(), taps.weights.end(), is_set);
  taps.first += first_set - taps.weights.begin();
  taps.weights.erase(taps.weights.begin(), first_set);
  while (taps.weights.back() == 0) taps.weights.pop_back();

  std::int64_t divisor = 0;
  for (std::int64_t w : taps.weights) divisor = std::gcd(divisor, w);
  for (std::int64_t& w : taps.weights) taps.sum += (w /= divisor);
  return taps;
}

// The least common multiple of all sums, or the largest denominator if that is exceeded.
bool find_denominator(const std::vector<Taps>& positions, std::int64_t& denominator) {
  denominator = 1;
  for (const Taps& taps : positions) {
    if (taps.sum > largest_denominator) return false;
    denominator = std::lcm(denominator, taps.sum);  // both at most 2^22: no overflow
    if (denominator > largest_denominator) return false;
  }
  return true;
}

// Brings the weights to the sum `denominator`; exact if the sum divides it.
void normalise(Taps& taps, std::int64_t denominator) {
  std::int64_t total = 0;
  for (std::int64_t& w : taps.weights) {
    const Int128 doubled = Int128{2} * std::abs(w) * denominator;
    const auto rounded = static_cast<std::int64_t>((doubled + taps.sum) / (Int128{2} * taps.sum));
    w = w < 0 ? -rounded : rounded;
    total += w;
  }
  *std::max_element(taps.weights.begin(), taps.weights.end()) += denominator - total;
}

// 0, 1, ..., size - 1, size - 1, ..., 1, 0, 0, 1, ... in both directions.
std::size_t reflected(std::int64_t index, std::int64_t size) {
  const std::int64_t period = 2 * size;
  const std::int64_t inside = index - floor_quotient(index, period) * period;
  return static_cast<std::size_t>(inside < size ? inside : period - 1 - inside);
}

}  // namespace

ResizeAxis bicubic_axis(std::int64_t in, std::int64_t out) {
  std::vector<Taps> positions;
  ResizeAxis axis;
  axis.in = in;
  axis.out = out;
  for (std::int64_t x = 0; x < out; ++x) {
    positions.push_back(taps_at(x, in, out));
    axis.taps = std::max(axis.taps, static_cast<std::int64_t>(positions.back().weights.size()));
  }
  axis.exact = find_denominator(positions, axis.denominator);
  if (!axis.exact) axis.denominator = largest_denominator;

  for (Taps& taps : positions) {
    normalise(taps, axis.denominator);
    taps.weights.resize(static_cast<std::size_t>(axis.taps), 0);
    std::int64_t magnitude = 0;
    for (std::size_t t = 0; t < taps.weights.size(); ++t) {
      axis.index.push_back(reflected(taps.first + static_cast<std::int64_t>(t), in));
      axis.weight.push_back(static_cast<double>(taps.weights[t]));
      magnitude += std::abs(taps.weights[t]);
    }
    axis.gain = std::max(axis.gain, static_cast<double>(magnitude) / static_cast<double>(axis.denominator));
  }
  return axis;
}

}  // namespace repro

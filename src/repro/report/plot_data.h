#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "repro/audit/diff_result.h"
#include "repro/snapshot/role.h"

namespace repro {

// Bar plots show at most this many bars; longer tensors are binned.
constexpr std::size_t most_bars = 2000;

// One bar: the smallest and the largest finite difference of its values, 0 included.
struct Bar {
  double low = 0, high = 0;
  bool not_finite = false;  // some value is NaN or infinite
};

// What the axes of a plot are called; MATLAB's words for learnables.
struct PlotTitles {
  std::string horizontal = "Learnable parameter number";
  std::string vertical = "Difference in weight value";
};
PlotTitles titles_for(Role role);

// The differences (reference minus candidate) of one tensor, ready to be drawn.
struct PlotData {
  std::uint64_t values = 0;
  std::uint64_t nonzero = 0;  // differences that are not 0, NaN included
  std::uint64_t not_finite = 0;
  std::uint64_t per_bar = 1;  // values of a bar; the last may have fewer
  std::vector<Bar> bars;
  double limit = 0;  // largest finite |difference|
  PlotTitles titles;
};
// Takes the differences block by block: memory is that of the bars, whatever the tensor's size.
class PlotBuilder {
 public:
  // Precondition: bars > 0; `values` is the number of differences that will come.
  PlotBuilder(std::uint64_t values, std::size_t bars, PlotTitles titles = {});
  void add(std::span<const double> differences);
  // Once, after the last block.
  PlotData finish();

 private:
  PlotData data_;
  std::uint64_t next_ = 0;
};
// Precondition: both tensors are there, of the same dtype and shape. Deterministic. Error{input} as
// Storage::bytes().
PlotData plot_data(const TensorPair& pair, std::size_t bars, PlotTitles titles);

// "all 72 differences are exactly 0"; "3 of 72 differ, at most by 1.2e-07"; binning and NaN are said.
std::string plot_caption(const PlotData& data);

// Distances 1, 2 or 5 times a power of ten that cut [0, limit] into at most `parts` parts; 1 for limit 0.
double tick_distance(double limit, int parts);
// A tick's value without digits beyond the distance; powers of ten only for the very large and small.
std::string tick_text(double value, double distance);

}  // namespace repro

#include "repro/report/plot_data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/compare/pairs.h"

namespace repro {

PlotTitles titles_for(Role role) {
  switch (role) {
    case Role::none: return {"Value number", "Difference in value"};
    case Role::learnable: return {};
    case Role::buffer: return {"Buffer value number", "Difference in buffer value"};
    case Role::prediction: return {"Predicted value number", "Difference in predicted value"};
    case Role::optimizer: return {"Optimiser value number", "Difference in optimiser value"};
    case Role::sample: return {"Pixel number", "Difference in pixel value"};
  }
  return {};
}

PlotBuilder::PlotBuilder(std::uint64_t values, std::size_t bars, PlotTitles titles) {
  data_.titles = std::move(titles);
  data_.values = values;
  data_.per_bar = std::max<std::uint64_t>(1, values / bars + (values % bars != 0 ? 1 : 0));
}

void PlotBuilder::add(std::span<const double> differences) {
  for (const double value : differences) {
    if (next_++ % data_.per_bar == 0) data_.bars.emplace_back();
    if (value == 0) continue;
    Bar& bar = data_.bars.back();
    ++data_.nonzero;
    if (std::isfinite(value)) {
      bar.low = std::min(bar.low, value);
      bar.high = std::max(bar.high, value);
    } else {
      bar.not_finite = true;
      ++data_.not_finite;
    }
  }
}

PlotData PlotBuilder::finish() {
  for (const Bar& bar : data_.bars) data_.limit = std::max({data_.limit, bar.high, -bar.low});
  return std::move(data_);
}

PlotData plot_data(const TensorPair& pair, std::size_t bars, PlotTitles titles) {
  PlotBuilder builder(pair.reference->size(), bars, std::move(titles));
  visit_differences(*pair.reference, *pair.candidate,
                    [&](std::span<const double> block) { builder.add(block); });
  return builder.finish();
}

std::string plot_caption(const PlotData& data) {
  if (data.values == 0) return "the tensor is empty";
  if (data.nonzero == 0) {
    return data.values == 1 ? "the one difference is exactly 0"
                            : "all " + thousands(data.values) + " differences are exactly 0";
  }
  std::string text = thousands(data.nonzero) + " of " + thousands(data.values) +
                     " differences are not 0, the largest is " + rounded(data.limit);
  if (data.not_finite > 0) {
    text += "; " + thousands(data.not_finite) + " are NaN or infinite and only marked";
  }
  if (data.per_bar > 1) {
    text += "; each bar spans the smallest to the largest of " + thousands(data.per_bar) + " values";
  }
  return text;
}

double tick_distance(double limit, int parts) {
  if (!(limit > 0)) return 1;
  if (limit < 1e-300) return limit;  // below, powers of ten lose their digits
  const double least = limit / parts;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string tick_text(double value, double distance) {
  if (std::abs(value) < distance / 2) return "0";
  const double magnitude = std::floor(std::log10(std::abs(value)) + 1e-9);
  const double finest = std::floor(std::log10(distance) + 1e-9);
  const bool powers = magnitude > 5 || finest < -4;
  const double digits = powers ? magnitude - finest : -finest;
  std::array<char, 64> out{};
  const auto result = std::to_chars(out.data(), out.data() + out.size(), value,
                                    powers ? std::chars_format::scientific : std::chars_format::fixed,
                                    static_cast<int>(std::clamp(digits, 0.0, 16.0)));
  return {out.data(), result.ptr};
}

}  // namespace repro

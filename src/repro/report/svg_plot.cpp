#include "repro/report/svg_plot.h"

#include <algorithm>
#include <cmath>

#include "repro/base/text.h"
#include "repro/report/chart.h"

namespace repro {
namespace {

constexpr double least_height = 1.2;  // of a bar that is not 0, in units of the drawing

// The half range of the vertical axis: whole ticks, symmetric, 1 where everything is 0.
struct Range {
  double tick = 1;
  double limit = 1;
};
Range range_of(const PlotData& data) {
  Range range;
  range.tick = tick_distance(data.limit, 3);
  if (data.limit > 0) {
    range.limit = std::ceil(data.limit / range.tick * (1 - 1e-12)) * range.tick;
    if (!std::isfinite(range.limit)) range = {data.limit, data.limit};
  }
  return range;
}

void add_ticks(Chart& chart, const PlotData& data, const Range& range) {
  const int steps = static_cast<int>(std::lround(range.limit / range.tick));
  for (int i = -steps; i <= steps; ++i) {
    const double value = i * range.tick;
    chart.tick_y(value, tick_text(value, range.tick));
  }
  const auto count = static_cast<double>(data.values);
  const double distance = std::max(1.0, tick_distance(count, 5));
  chart.tick_x(1, "1");
  for (double value = distance; value <= count; value += distance) {
    if (value > 1 && value >= distance / 2) {
      chart.tick_x(value, thousands(static_cast<std::uint64_t>(value)));
    }
  }
}

// One path for all bars: small files, fast pages.
std::string bars_path(const Chart& chart, const PlotData& data) {
  const double zero = chart.y(0);
  std::string path;
  std::string marks;
  for (std::size_t i = 0; i < data.bars.size(); ++i) {
    const Bar& bar = data.bars[i];
    const double first = static_cast<double>(i * data.per_bar) + 0.5;
    const double last =
        std::min(first + static_cast<double>(data.per_bar), static_cast<double>(data.values) + 0.5);
    const double left = chart.x(first);
    const double width = chart.x(last) - left;
    const double inset = width > 3 ? width * 0.12 : 0;
    double top = chart.y(bar.high);
    double bottom = chart.y(bar.low);
    if (bar.high > 0) top = std::min(top, zero - least_height);
    if (bar.low < 0) bottom = std::max(bottom, zero + least_height);
    const std::string across = coordinate(std::max(width - 2 * inset, 0.8));
    if (bar.high > 0 || bar.low < 0) {
      path += "M" + coordinate(left + inset) + " " + coordinate(top) + "h" + across + "V" +
              coordinate(bottom) + "h-" + across + "z";
    }
    if (bar.not_finite) {
      marks += "M" + coordinate(left + width / 2) + " " + coordinate(zero) + "l3-5h-6z";
    }
  }
  std::string out = "<path class=\"zero\" d=\"M" + coordinate(chart.left()) + " " + coordinate(zero) + "H" +
                    coordinate(chart.right()) + "\"/>";
  if (!path.empty()) out += "<path class=\"bar\" d=\"" + path + "\"/>";
  if (!marks.empty()) out += "<path class=\"mark\" d=\"" + marks + "\"/>";
  return out;
}

Chart chart_of(const PlotData& data) {
  const Range range = range_of(data);
  Chart chart({0.5, std::max(1.0, static_cast<double>(data.values)) + 0.5, false, data.titles.horizontal},
              {-range.limit, range.limit, false, data.titles.vertical});
  add_ticks(chart, data, range);
  chart.add(bars_path(chart, data));
  return chart;
}

}  // namespace

std::string inline_bar_plot(const PlotData& data, const std::string& label) {
  return chart_of(data).inline_svg(label);
}

std::string standalone_svg(const PlotData& data, const std::string& title) {
  return chart_of(data).svg_file(title, plot_caption(data));
}

}  // namespace repro

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace repro {

// The frame that all our SVG charts share: axes, ticks, grid, titles. 480 by 260 units, made to be shown at
// 360 to 600 pixels. Colours come from CSS classes, so that the page decides on light and dark; a file of
// its own carries the style sheet in itself.
struct Axis {
  double low = 0, high = 1;  // finite, low < high; 0 < low if logarithmic
  bool logarithmic = false;
  std::string title;  // plain text
};

class Chart {
 public:
  Chart(Axis horizontal, Axis vertical);

  // Units of the drawing for a value; clamped to the frame.
  double x(double value) const;
  double y(double value) const;
  double left() const;
  double right() const;
  double bottom() const;
  double top() const;

  void tick_x(double value, const std::string& label);
  void tick_y(double value, const std::string& label);
  void add(std::string svg) { content_ += std::move(svg); }  // drawn above the grid

  // `label` is read aloud by screen readers. Inline: classes are styled by the page.
  std::string inline_svg(const std::string& label) const;
  // A whole file with `title` above the frame.
  std::string svg_file(const std::string& title, const std::string& caption) const;

 private:
  std::string body() const;

  Axis horizontal_, vertical_;
  std::string grid_, content_;
};

std::string coordinate(double value);  // one decimal, no "-0.0"
// The style rules of the classes above, for light and dark.
std::string chart_style();
// Ticks of a logarithmic axis: 1, 2 and 5 times powers of ten in [low, high], thinned to at most nine.
std::vector<double> logarithmic_ticks(double low, double high);

}  // namespace repro

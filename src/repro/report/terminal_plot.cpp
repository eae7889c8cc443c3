#include <algorithm>
#include <array>
#include <cmath>

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/comparison_view.h"
#include "repro/report/diff_report.h"
#include "repro/report/escape.h"
#include "repro/report/plot_data.h"
#include "repro/report/row_facts.h"
#include "repro/report/table.h"

namespace repro {
namespace {

constexpr int half_rows = 5;  // rows above and below the zero line
constexpr int label_width = 10;

const TensorDiff& tensor_named(const ComparisonView& view, const std::string& name) {
  std::vector<std::string> names;
  for (const TensorDiff& tensor : view.diff->tensors) {
    if (tensor.name == name) return tensor;
    names.push_back(tensor.name);
  }
  const auto near = nearest(name, names);
  std::string hint = near ? "did you mean '" + displayable(*near) + "'?" : "";
  if (hint.empty() && !names.empty()) {
    const std::size_t shown = std::min<std::size_t>(names.size(), 8);
    hint = "there is " + displayable(join(std::span(names).first(shown), ", ")) +
           (names.size() > shown ? ", …" : "");
  }
  throw Error(ErrorKind::request,
              "--plot: " + displayable(view.title) + " has no tensor '" + displayable(name) + "'", hint);
}

// The character for a bar that fills `fill` of a cell, from the zero line outwards: [0, 1]. Unicode has
// eighths that grow upwards, but only a few blocks that hang down.
std::string_view cell_above(double fill) {
  static constexpr std::array<std::string_view, 9> blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  return blocks[static_cast<std::size_t>(std::ceil(std::clamp(fill, 0.0, 1.0) * 8))];
}
std::string_view cell_below(double fill) {
  if (fill <= 0) return " ";
  return fill <= 0.25 ? "▔" : fill <= 0.75 ? "▀" : "█";
}

// Row r = 0 touches the zero line.
std::string bar_row(const PlotData& data, int columns_per_bar, int row, bool above) {
  std::string line;
  for (const Bar& bar : data.bars) {
    const double height = data.limit > 0 ? (above ? bar.high : -bar.low) / data.limit : 0;
    const double fill = height * half_rows - row;
    const std::string_view cell = above ? cell_above(fill) : cell_below(fill);
    for (int i = 0; i < columns_per_bar; ++i) line += cell;
  }
  return line;
}

std::string padded(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - terminal_width(text))), ' ') + text;
}

std::string zero_line(const PlotData& data, int columns_per_bar) {
  std::string line;
  for (const Bar& bar : data.bars) {
    for (int i = 0; i < columns_per_bar; ++i) line += bar.not_finite ? "×" : "─";
  }
  return line;
}

std::string caption_lines(const PlotData& data, const TensorDiff& diff) {
  std::string caption = plot_caption(data);
  if (diff.sign_of_zero_mismatches() > 0) {
    caption += "; " + thousands(diff.sign_of_zero_mismatches()) + " zeros differ in sign";
  }
  // A part a line: together they are wider than a terminal.
  for (std::size_t at = 0; (at = caption.find("; ", at)) != std::string::npos;) {
    caption.replace(at, 2, "\n  ");
  }
  return "  " + caption + "\n";
}

std::string plot_lines(const PlotData& data, int columns, bool color) {
  const int bars = std::max(1, static_cast<int>(data.bars.size()));
  const int columns_per_bar = std::max(1, columns / bars);
  const std::string style = color ? "\x1b[34m" : "";
  const std::string top = data.limit > 0 ? rounded(data.limit, 2) : "1";
  std::string out;
  for (int row = half_rows - 1; row >= 0; --row) {
    out += padded(row == half_rows - 1 ? top : "", label_width) + " │" +
           styled(bar_row(data, columns_per_bar, row, true), style) + "\n";
  }
  out += padded("0", label_width) + " ┼" + zero_line(data, columns_per_bar) + "\n";
  for (int row = 0; row < half_rows; ++row) {
    out += padded(row == half_rows - 1 ? "-" + top : "", label_width) + " │" +
           styled(bar_row(data, columns_per_bar, row, false), style) + "\n";
  }
  const std::string last = thousands(data.values);
  out += padded("", label_width) + "  1" + padded(last, bars * columns_per_bar - 1) + "\n";
  return out + padded("", label_width) + "  " + data.titles.horizontal + "\n";
}

std::string plot_of(const ComparisonView& view, const std::string& tensor, int width, bool color) {
  const TensorDiff& diff = tensor_named(view, tensor);
  const std::string heading = displayable(diff.name) + ": difference, " + displayable(view.subtract) + "\n";
  const TensorUse use(view.tensors(diff));
  if (!use) {
    const std::string what = safe_text(what_of(diff));
    return heading + "  (not drawn: " + std::string(name_of(diff.kind)) + (what.empty() ? "" : ", " + what) +
           ")\n";
  }
  const int columns = std::max(10, width - label_width - 2);
  const PlotData data = plot_data(use.pair(), static_cast<std::size_t>(columns), titles_for(diff.role));
  return heading + plot_lines(data, columns, color) + caption_lines(data, diff);
}

}  // namespace

std::string render_plot(const AuditResult& audit, const Comparison& comparison, const std::string& tensor,
                        int width, bool color) {
  return plot_of(view_of(audit, comparison), tensor, width, color);
}

std::string render_diff_plot(const DiffComparison& comparison, const std::string& tensor, int width,
                             bool color) {
  return plot_of(view_of(comparison), tensor, width, color);
}

}  // namespace repro

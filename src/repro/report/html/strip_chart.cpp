// Which states differ over the steps.
#include <algorithm>
#include <cmath>

#include "repro/base/text.h"
#include "repro/report/chart.h"
#include "repro/report/divergence_text.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/plot_data.h"
#include "repro/report/table.h"

namespace repro::html {
namespace {

using Cell = DifferenceMap::Cell;
using Row = DifferenceMap::Row;

// Pixels; text is set in a fixed pitch of 11 pixels, so that its width is known here.
constexpr int row_height = 16, top = 20, axis_height = 38, margin = 6, margin_right = 28;
constexpr int strip_width = 680, widest_cell = 18, narrowest_cell = 3, narrowest_with_gaps = 6;
constexpr int longest_label = 40;  // characters
constexpr double pitch = 6.8;

double width_of(const std::string& text) { return pitch * terminal_width(text); }

std::string label_of(const Row& row) {
  const TraceSlot slot{.phase = row.phase, .tensor = row.tensor, .layer = {}};
  return std::string(name_of(row.phase)) + " · " + safe_text(tensor_text(slot));
}

std::string text_at(const std::string& css_class, double x, double y, const std::string& text,
                    const std::string& anchor) {
  return "<text class=\"" + css_class + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
         "\" text-anchor=\"" + anchor + "\">" + html_text(text) + "</text>";
}

std::string number(std::int64_t step) { return thousands(static_cast<std::uint64_t>(step)); }

class Strip {
 public:
  Strip(const DifferenceMap& map, const Divergence& first)
      : map_(map),
        first_(first),
        columns_(static_cast<int>(map.steps.size())),
        cell_(std::clamp(strip_width / columns_, narrowest_cell, widest_cell)) {
    double widest = 0;
    for (const Row& row : map.rows)
      widest = std::max(widest, width_of(cut_middle(label_of(row), longest_label)));
    left_ = margin + static_cast<int>(std::ceil(widest)) + 8;
    bottom_ = top + row_height * static_cast<int>(map.rows.size());
    const std::int64_t step = std::ranges::min(map.rows, {}, &Row::first_different).first_different;
    parted_at_ = column_of(step);
    parted_ = "▾ first in step " + number(step);
    width_ = std::max(left_ + columns_ * cell_ + margin_right,
                      margin * 2 + static_cast<int>(std::ceil(width_of(parted_))));
  }

  std::string svg(const std::string& label) const {
    const std::string width = std::to_string(width_), height = std::to_string(bottom_ + axis_height);
    return "<div class=\"scroll\"><svg class=\"strip\" role=\"img\" width=\"" + width + "\" height=\"" +
           height + "\" viewBox=\"0 0 " + width + " " + height + "\" aria-label=\"" + html_text(label) +
           "\"><title>" + html_text(label) + "</title>\n" + parting() + rows() + axis() + "</svg></div>\n";
  }

 private:
  int column_of(std::int64_t step) const {
    const auto behind = std::ranges::upper_bound(map_.steps, step);
    return behind == map_.steps.begin() ? 0 : static_cast<int>(behind - map_.steps.begin()) - 1;
  }
  double middle_of(int column) const { return left_ + cell_ * (column + 0.5); }

  // A line through all rows where the first of them parts, with its step above.
  std::string parting() const {
    const double x = left_ + parted_at_ * cell_;
    const double text = std::min(x - pitch / 2, width_ - margin - width_of(parted_));
    return "<path class=\"parting\" d=\"M" + coordinate(x) + " " + std::to_string(top - 4) + "V" +
           std::to_string(bottom_) + "\"/>" +
           text_at("tick", std::max<double>(text, margin), top - 8, parted_, "start") + "\n";
  }

  // Neighbouring cells of a kind, as strokes; bars that are wide enough stand apart.
  std::string strokes(const Row& row, Cell kind, bool apart) const {
    std::string path;
    for (int i = 0; i < columns_;) {
      int end = i + 1;
      if (row.cells[static_cast<std::size_t>(i)] == kind) {
        while (!apart && end < columns_ && row.cells[static_cast<std::size_t>(end)] == kind) ++end;
        path += "M" + std::to_string(i * cell_) + " 0h" + std::to_string((end - i) * cell_ - (apart ? 1 : 0));
      }
      i = end;
    }
    return path;
  }

  std::string row(const Row& row, int y) const {
    const bool is_first = row.phase == first_.phase && row.tensor == first_.tensor;
    const std::string label = label_of(row);
    const std::string equals = strokes(row, Cell::equal, false);
    return "<g transform=\"translate(" + std::to_string(left_) + " " + std::to_string(y) + ")\"><title>" +
           html_text(label + ": different in " + thousands(row.different_steps) + " of " +
                     plural(static_cast<std::int64_t>(row.compared_steps), "step") + ", from step " +
                     number(row.first_different) + " to step " + number(row.last_different)) +
           "</title>" +
           text_at(is_first ? "label first" : "label", -8, 4, cut_middle(label, longest_label), "end") +
           (equals.empty() ? "" : "<path class=\"equals\" d=\"" + equals + "\"/>") +
           "<path class=\"differs\" d=\"" + strokes(row, Cell::different, cell_ >= narrowest_with_gaps) +
           "\"/></g>\n";
  }

  std::string rows() const {
    std::string out;
    int y = top + row_height / 2;
    for (const Row& one : map_.rows) {
      out += row(one, y);
      y += row_height;
    }
    return out;
  }

  // The first step and the last one, and round ones between them where there is room.
  std::string axis() const {
    std::string out = "<path class=\"zero\" d=\"M" + std::to_string(left_) + " " + std::to_string(bottom_) +
                      ".5h" + std::to_string(columns_ * cell_) + "\"/>";
    std::vector<std::pair<double, double>> taken;
    const auto tick = [&](int column, std::int64_t step) {
      const std::string text = number(step);
      const double x = middle_of(column), half = width_of(text) / 2 + 4;
      const auto overlaps = [&](const auto& other) {
        return x - half < other.second && x + half > other.first;
      };
      if (std::ranges::any_of(taken, overlaps)) return;
      taken.emplace_back(x - half, x + half);
      out += "<path class=\"zero\" d=\"M" + coordinate(x) + " " + std::to_string(bottom_) + "v4\"/>" +
             text_at("tick", x, bottom_ + 15, text, "middle");
    };
    tick(0, map_.steps.front());
    tick(columns_ - 1, map_.last_step);
    const std::int64_t begin = map_.steps.front();
    const double apart = tick_distance(static_cast<double>(map_.last_step - begin), 10);
    const auto distance = static_cast<std::int64_t>(std::max(1.0, apart));
    for (std::int64_t step = (begin / distance + 1) * distance; step < map_.last_step; step += distance) {
      tick(column_of(step), step);
    }
    return out +
           text_at("axis-title", (left_ + left_ + columns_ * cell_) / 2.0, bottom_ + 31, "step", "middle");
  }

  const DifferenceMap& map_;
  const Divergence& first_;
  int columns_, cell_, left_ = 0, bottom_ = 0, width_ = 0, parted_at_ = 0;
  std::string parted_;
};

}  // namespace

std::string strip_chart(const DifferenceMap& map, const Divergence& first, const std::string& label) {
  return Strip(map, first).svg(label);
}

}  // namespace repro::html

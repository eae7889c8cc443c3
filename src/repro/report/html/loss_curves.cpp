// Training loss per step of each run, with the validation losses as points.
#include <algorithm>
#include <bit>
#include <cmath>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/chart.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"
#include "repro/report/plot_data.h"

namespace repro::html {
namespace {

constexpr std::size_t most_runs = 8;      // as many as there are colours
constexpr std::size_t most_points = 800;  // of one curve; longer ones are thinned

using Runs = std::vector<const RunResult*>;

struct Extent {
  double low = 0, high = 0;
  std::int64_t steps = 0;
  bool any = false;
  void add(std::int64_t step, float loss) {
    steps = std::max(steps, step);
    if (!std::isfinite(loss)) return;
    const auto value = static_cast<double>(loss);
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
};

Extent extent_of(const Runs& runs) {
  Extent extent;
  for (const RunResult* run : runs) {
    for (const StepRow& row : run->steps) extent.add(row.step, row.loss);
    for (const ValidationRow& row : run->validation) extent.add(row.step, row.loss);
  }
  return extent;
}

// Logarithmic where linear would flatten most of the curve.
Axis loss_axis(const Extent& extent) {
  if (extent.low > 0 && extent.high / extent.low > 20) {
    return {extent.low / 1.1, extent.high * 1.1, true, "Loss (logarithmic)"};
  }
  const double span = extent.high - extent.low;
  const double room = span > 0 ? span * 0.06 : std::max(std::abs(extent.high) * 0.1, 1e-6);
  return {extent.low - room, extent.high + room, false, "Loss"};
}

void add_ticks(Chart& chart, const Axis& losses, std::int64_t steps) {
  if (losses.logarithmic) {
    for (const double tick : logarithmic_ticks(losses.low, losses.high)) {
      chart.tick_y(tick, tick_text(tick, tick));
    }
  } else {
    const double distance = tick_distance(losses.high - losses.low, 5);
    for (double tick = std::ceil(losses.low / distance) * distance; tick <= losses.high; tick += distance) {
      chart.tick_y(tick, tick_text(tick, distance));
    }
  }
  const double distance = std::max(1.0, tick_distance(static_cast<double>(steps), 6));
  chart.tick_x(1, "1");
  for (double tick = distance; tick <= static_cast<double>(steps); tick += distance) {
    if (tick > 1) chart.tick_x(tick, thousands(static_cast<std::uint64_t>(tick)));
  }
}

std::string points_of(const Chart& chart, const RunResult& run) {
  const std::size_t stride = (run.steps.size() + most_points - 1) / most_points;
  std::string path;
  bool pen_down = false;
  for (std::size_t i = 0; i < run.steps.size(); i += std::max<std::size_t>(stride, 1)) {
    const StepRow& row = run.steps[i];
    if (!std::isfinite(row.loss)) {
      pen_down = false;  // a gap, not a line through what is no number
      continue;
    }
    path += (pen_down ? "L" : "M") + coordinate(chart.x(static_cast<double>(row.step))) + " " +
            coordinate(chart.y(static_cast<double>(row.loss)));
    pen_down = true;
  }
  return path;
}

std::string series_of(const Chart& chart, const RunResult& run, std::size_t number) {
  const std::string colour = std::to_string(number % most_runs);
  std::string out = "<path class=\"series s" + colour + (number == 0 ? " first" : "") + "\" d=\"" +
                    points_of(chart, run) + "\"/>";
  for (const ValidationRow& row : run.validation) {
    if (!std::isfinite(row.loss)) continue;
    out += "<circle class=\"dot f" + colour + "\" r=\"" + (number == 0 ? "5" : "3") + "\" cx=\"" +
           coordinate(chart.x(static_cast<double>(row.step))) + "\" cy=\"" +
           coordinate(chart.y(static_cast<double>(row.loss))) + "\"/>";
  }
  return out;
}

std::string legend(const Runs& runs) {
  std::string out = "<div class=\"legend\">";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out += "<span><svg viewBox=\"0 0 22 10\" aria-hidden=\"true\"><path class=\"series s" +
           std::to_string(i) + (i == 0 ? " first" : "") + "\" d=\"M1 5H21\"/></svg>" +
           html_text(runs[i]->record.name) + "</span>";
  }
  return out + "<span>● validation</span></div>";
}

// Whether all curves are equal bit for bit, as far as each of two runs went.
bool losses_equal(const Runs& runs) {
  return std::all_of(runs.begin(), runs.end(), [&](const RunResult* run) {
    const std::size_t common = std::min(run->steps.size(), runs[0]->steps.size());
    for (std::size_t i = 0; i < common; ++i) {
      if (std::bit_cast<std::uint32_t>(run->steps[i].loss) !=
          std::bit_cast<std::uint32_t>(runs[0]->steps[i].loss)) {
        return false;
      }
    }
    return true;
  });
}

std::string caption_of(const Runs& runs, std::size_t all) {
  std::string text;
  if (runs.size() > 1) {
    text = losses_equal(runs) ? "the training losses are equal bit for bit at every step that was made"
                              : "the training losses are not equal at every step";
  }
  for (const RunResult* run : runs) {
    if (!run->record.first_nan_step) continue;
    text += (text.empty() ? "" : "; ") + run->record.name + " is not finite from step " +
            std::to_string(*run->record.first_nan_step) + " on";
  }
  if (all > runs.size()) {
    text += (text.empty() ? "" : "; ") + std::string("left out: ") +
            plural(static_cast<std::int64_t>(all - runs.size()), "more run");
  }
  return text;
}

// The reference, then one run of each other result, then the rest, as many as there are colours.
Runs shown_runs(const AuditResult& audit, const GroupResult& group, std::size_t& all) {
  Runs first, rest;
  std::vector<std::string> classes;
  for (const RunResult& run : audit.runs) {
    if (run.group != group.name || run.steps.empty()) continue;
    ++all;
    const bool is_reference = group.reference && run.index == *group.reference;
    const bool is_new = std::find(classes.begin(), classes.end(), run.result_class) == classes.end();
    if (is_new) classes.push_back(run.result_class);
    if (is_reference) {
      first.insert(first.begin(), &run);
    } else {
      (is_new ? first : rest).push_back(&run);
    }
  }
  first.insert(first.end(), rest.begin(), rest.end());
  first.resize(std::min(first.size(), most_runs));
  return first;
}

std::string figure(const AuditResult& audit, const GroupResult& group) {
  std::size_t all = 0;
  const Runs runs = shown_runs(audit, group, all);
  if (runs.empty()) return "";
  const std::string caption = caption_of(runs, all);
  std::string out = "<figure><figcaption><b>" + code(group.name) + "</b><span class=\"quiet\">" +
                    html_text(caption) + "</span></figcaption>";
  const Extent extent = extent_of(runs);
  if (extent.any) {
    const Axis losses = loss_axis(extent);
    Chart chart({1, std::max(2.0, static_cast<double>(extent.steps)), false, "Step"}, losses);
    add_ticks(chart, losses, extent.steps);
    for (std::size_t i = 0; i < runs.size(); ++i) chart.add(series_of(chart, *runs[i], i));
    out += chart.inline_svg("training loss per step, " + group.name) + legend(runs);
  } else {
    out += "<p class=\"left-out\">No loss is a finite number.</p>";
  }
  return out + "</figure>\n";
}

}  // namespace

std::string loss_curves(const AuditResult& audit) {
  std::string out;
  for (const GroupResult& group : audit.groups) out += figure(audit, group);
  return out.empty() ? "" : "<div class=\"figures\">\n" + out + "</div>\n";
}

}  // namespace repro::html

// Bar plots of differences: the first learnable of each group, then the tensors that differ, worst first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/plot_data.h"
#include "repro/report/svg_plot.h"

namespace repro::html {
namespace {

constexpr std::size_t most_plots = 50;
constexpr std::size_t open_plots = 6;  // of differing tensors; the others are folded away

struct Plot {
  const ComparisonView* view = nullptr;
  const TensorDiff* tensor = nullptr;
};

// NaN on one side is worse than any number.
double badness(const TensorDiff& tensor) {
  if (tensor.nan_mismatches() > 0) return std::numeric_limits<double>::infinity();
  return tensor.max_abs().value_or(0);
}

// Of all comparisons of a group the one in which this tensor is worst; the first one if it never differs.
// Names that are tied to an earlier one are the same tensor.
std::vector<Plot> plots_of_group(std::span<const ComparisonView> group) {
  std::vector<Plot> plots;
  std::map<std::string_view, std::size_t> position;
  for (const ComparisonView& view : group) {
    for (const TensorDiff& tensor : view.diff->tensors) {
      if (!has_values(tensor) || !tensor.alias_of.empty()) continue;
      const auto [found, is_new] = position.try_emplace(tensor.name, plots.size());
      if (is_new) {
        plots.push_back({&view, &tensor});
        continue;
      }
      Plot& plot = plots[found->second];
      const bool worse = badness(tensor) > badness(*plot.tensor) ||
                         (plot.tensor->kind == DifferenceKind::equal && tensor.kind != DifferenceKind::equal);
      if (worse) plot = {&view, &tensor};
    }
  }
  return plots;
}

std::string caption_of(const Plot& plot, const PlotData& data) {
  std::string caption = plot_caption(data);
  if (plot.tensor->sign_of_zero_mismatches() > 0) {
    caption += "; " + thousands(plot.tensor->sign_of_zero_mismatches()) + " zeros differ in sign";
  }
  return caption;
}

std::string figure(const Plot& plot) {
  std::string body;
  std::string caption;
  try {
    const TensorUse use(plot.view->tensors(*plot.tensor));
    if (!use) {
      caption = "not drawn: the files do not have the tensor any more";
    } else {
      const PlotData data = plot_data(use.pair(), most_bars, titles_for(plot.tensor->role));
      caption = caption_of(plot, data);
      body = inline_bar_plot(data, plot.tensor->name.text() + ": " + caption);
    }
  } catch (const Error& error) {
    caption = "not drawn: " + error.message();
  }
  return "<figure><figcaption><b>" + code(plot.tensor->name) + "</b> " + html_text(plot.view->subtract) +
         "<span class=\"quiet\">" + html_text(caption) + "</span></figcaption>" + body + "</figure>\n";
}

std::string figures(std::span<const Plot> plots) {
  std::string out = "<div class=\"figures\">\n";
  for (const Plot& plot : plots) out += figure(plot);
  return out + "</div>\n";
}

}  // namespace

std::string difference_plots(std::span<const ComparisonView> views, const std::string& first,
                             const std::string& all_at) {
  std::vector<Plot> shown;
  std::vector<Plot> differing;
  for (std::size_t begin = 0, end = 0; begin < views.size(); begin = end) {
    while (end < views.size() && views[end].group == views[begin].group) ++end;
    for (const Plot& plot : plots_of_group(views.subspan(begin, end - begin))) {
      if (plot.tensor->name == first && shown.size() < most_plots) {
        shown.push_back(plot);
      } else if (plot.tensor->kind != DifferenceKind::equal) {
        differing.push_back(plot);
      }
    }
  }
  std::stable_sort(differing.begin(), differing.end(),
                   [](const Plot& a, const Plot& b) { return badness(*a.tensor) > badness(*b.tensor); });
  const std::size_t total = differing.size();
  differing.resize(std::min(total, most_plots));
  if (shown.empty() && differing.empty()) return "";
  const std::span<const Plot> all(differing);
  const std::size_t open = all.size() <= open_plots + 3 ? all.size() : open_plots;
  shown.insert(shown.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(open));
  std::string out = figures(shown);
  if (open < all.size()) {
    out += details(plural(std::ssize(all) - static_cast<std::int64_t>(open), "more plot"),
                   figures(all.subspan(open)));
  }
  if (total > differing.size()) {
    out +=
        "<p class=\"left-out\">Left out: " + thousands(static_cast<std::uint64_t>(total - differing.size())) +
        " more differing tensors, each with a smaller largest difference than those shown; " +
        html_text(all_at) + ".</p>\n";
  }
  return out;
}

}  // namespace repro::html

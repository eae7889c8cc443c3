// Bar plots of differences: the first learnable of each group, then the tensors that differ, worst first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"
#include "repro/report/plot_data.h"
#include "repro/report/report.h"
#include "repro/report/run_tensors.h"
#include "repro/report/svg_plot.h"

namespace repro::html {
namespace {

constexpr std::size_t most_plots = 50;
constexpr std::size_t open_plots = 6;  // of differing tensors; the others are folded away

struct Plot {
  const Comparison* comparison = nullptr;
  const TensorDiff* tensor = nullptr;
};

// NaN on one side is worse than any number.
double badness(const TensorDiff& tensor) {
  if (tensor.nan_mismatches > 0) return std::numeric_limits<double>::infinity();
  return tensor.max_abs.value_or(0);
}

// Of all comparisons of a group the one in which this tensor is worst; the first one if it never differs.
std::vector<Plot> plots_of_group(const AuditResult& audit, const std::string& group) {
  std::vector<Plot> plots;
  std::map<std::string, std::size_t> position;
  for (const Comparison& comparison : audit.comparisons) {
    if (comparison.group != group) continue;
    for (const TensorDiff& tensor : comparison.diff.tensors) {
      if (!has_values(tensor)) continue;
      const auto [found, is_new] = position.try_emplace(tensor.name, plots.size());
      if (is_new) {
        plots.push_back({&comparison, &tensor});
        continue;
      }
      Plot& plot = plots[found->second];
      const bool worse = badness(tensor) > badness(*plot.tensor) ||
                         (plot.tensor->kind == DifferenceKind::equal && tensor.kind != DifferenceKind::equal);
      if (worse) plot = {&comparison, &tensor};
    }
  }
  return plots;
}

// Opens the files of a comparison once for all its plots.
class TensorCache {
 public:
  explicit TensorCache(const AuditResult& audit) : audit_(audit) {}
  TensorPair find(const Plot& plot) {
    auto& entry = opened_[plot.comparison];
    if (!entry) entry = std::make_unique<ComparisonTensors>(audit_, *plot.comparison);
    return entry->find(*plot.tensor);
  }

 private:
  const AuditResult& audit_;
  std::map<const Comparison*, std::unique_ptr<ComparisonTensors>> opened_;
};

std::string caption_of(const Plot& plot, const PlotData& data) {
  std::string caption = plot_caption(data);
  if (plot.tensor->sign_of_zero_mismatches > 0) {
    caption += "; " + thousands(plot.tensor->sign_of_zero_mismatches) + " zeros differ in sign";
  }
  return caption;
}

std::string figure(const Plot& plot, TensorCache& cache) {
  const std::string heading =
      "<b>" + code(plot.tensor->name) + "</b> " +
      html_text(run_name(plot.comparison->group, plot.comparison->reference) + " minus " +
                run_name(plot.comparison->group, plot.comparison->candidate));
  std::string body;
  std::string caption;
  try {
    const TensorPair pair = cache.find(plot);
    if (pair.reference == nullptr) {
      caption = "not drawn: the files of these runs do not have the tensor any more";
    } else {
      const PlotData data = plot_data(differences_of(pair), most_bars, titles_for(plot.tensor->role));
      caption = caption_of(plot, data);
      body = inline_bar_plot(data, plot.tensor->name + ": " + caption);
    }
  } catch (const Error& error) {
    caption = "not drawn: " + error.message();
  }
  return "<figure><figcaption>" + heading + "<span class=\"quiet\">" + html_text(caption) +
         "</span></figcaption>" + body + "</figure>\n";
}

std::string figures(std::span<const Plot> plots, TensorCache& cache) {
  std::string out = "<div class=\"figures\">\n";
  for (const Plot& plot : plots) out += figure(plot, cache);
  return out + "</div>\n";
}

}  // namespace

std::string difference_plots(const AuditResult& audit) {
  const std::string first = first_learnable(audit);
  std::vector<Plot> shown;
  std::vector<Plot> differing;
  for (const GroupResult& group : audit.groups) {
    for (const Plot& plot : plots_of_group(audit, group.name)) {
      if (plot.tensor->name == first) {
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
  TensorCache cache(audit);
  const std::span<const Plot> all(differing);
  const std::size_t open = all.size() <= open_plots + 3 ? all.size() : open_plots;
  shown.insert(shown.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(open));
  std::string out = figures(shown, cache);
  if (open < all.size()) {
    out += details(plural(std::ssize(all) - static_cast<std::int64_t>(open), "more plot"),
                   figures(all.subspan(open), cache));
  }
  if (total > differing.size()) {
    out +=
        "<p class=\"left-out\">Left out: " + thousands(static_cast<std::uint64_t>(total - differing.size())) +
        " more differing tensors, each with a smaller largest difference than those shown; the "
        "folder diff has a plot of every one.</p>\n";
  }
  return out;
}

}  // namespace repro::html

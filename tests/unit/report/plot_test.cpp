#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <pugixml.hpp>

#include "repro/base/error.h"
#include "repro/base/number.h"
#include "repro/report/chart.h"
#include "repro/report/plot_data.h"
#include "repro/report/report.h"
#include "repro/report/svg_plot.h"
#include "unit/report/sample_audit.h"

namespace repro {
namespace {

PlotData plot_data(const std::vector<double>& differences, std::size_t bars) {
  PlotBuilder builder(differences.size(), bars);
  // In blocks that do not fall together with bars.
  for (std::size_t at = 0; at < differences.size(); at += 7) {
    builder.add(std::span(differences).subspan(at, std::min<std::size_t>(7, differences.size() - at)));
  }
  return builder.finish();
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("plots say whether all differences are exactly 0") {
  CHECK(plot_caption(plot_data(std::vector<double>(72), most_bars)) == "all 72 differences are exactly 0");
  CHECK(plot_caption(plot_data({0, -0.5, 0.25}, most_bars)) ==
        "2 of 3 differences are not 0, the largest is 0.5");
  CHECK(plot_caption(plot_data({0, nan}, most_bars)).find("1 are NaN or infinite") != std::string::npos);
}

TEST_CASE("bins keep the extremes and lose no value") {
  std::vector<double> values(4001);
  values[0] = -2;
  values[1] = 3;
  values[2] = -1;
  values[4000] = 1;
  const PlotData data = plot_data(values, 2000);
  CHECK(data.per_bar == 3);
  CHECK(data.bars.size() == 1334);
  CHECK(data.bars[0].high == 3);
  CHECK(data.bars[0].low == -2);
  CHECK(data.bars.back().high == 1);
  CHECK(data.nonzero == 4);
  CHECK(data.limit == 3);
  CHECK(plot_data(std::vector<double>(2000), 2000).bars.size() == 2000);
}

TEST_CASE("ticks are round and their labels are not longer than needed") {
  CHECK(tick_distance(0, 3) == 1);
  CHECK(rounded(tick_distance(3.1e-7, 3), 3) == "2e-07");
  CHECK(tick_distance(72, 5) == 20);
  CHECK(tick_text(3 * 0.1, 0.1) == "0.3");
  CHECK(tick_text(120, 20) == "120");
  for (const double limit : {5e-324, 1e-310, 1e-38, 0.3, 1.0, 7e307, 1.7e308}) {
    INFO(limit);
    const double distance = tick_distance(limit, 3);
    CHECK(distance > 0);
    CHECK(limit / distance <= 3.0001);
    PlotData data = plot_data({limit, -limit, 0}, most_bars);
    CHECK(standalone_svg(data, "t").find("nan") == std::string::npos);
    CHECK(standalone_svg(data, "t").find("inf") == std::string::npos);
  }
}

TEST_CASE("an SVG file is well-formed whatever the tensor is called") {
  const PlotData flat = plot_data(std::vector<double>(72), most_bars);
  const PlotData bumpy = plot_data({0, 1e-7, nan, -2e-7}, most_bars);
  for (const PlotData& data : {flat, bumpy, plot_data({}, most_bars)}) {
    const std::string svg = standalone_svg(data, "</title><script>\x01&");
    pugi::xml_document document;
    REQUIRE(document.load_string(svg.c_str()));
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("Learnable parameter number") != std::string::npos);
    CHECK(svg.find("Difference in weight value") != std::string::npos);
  }
  CHECK(standalone_svg(flat, "t").find("class=\"bar\"") == std::string::npos);
  CHECK(standalone_svg(bumpy, "t").find("class=\"bar\"") != std::string::npos);
  CHECK(standalone_svg(bumpy, "t").find("class=\"mark\"") != std::string::npos);
}

TEST_CASE("a plot in the terminal") {
  SampleAudit sample;
  SampleWeights other = autoencoder_weights();
  perturb(other, "conv1.weight", 9, 40);
  sample.add_group("default", {autoencoder_weights(), other});
  sample.add_group("deterministic", {autoencoder_weights(), autoencoder_weights()});
  const auto plot = [&](std::size_t comparison, const std::string& tensor) {
    return render_plot(sample.audit, sample.audit.comparisons[comparison], tensor, 80, false);
  };
  const std::string bumpy = plot(0, "conv1.weight");
  CHECK(bumpy.find("█") != std::string::npos);
  CHECK(bumpy.find("8 of 72 differences are not 0") != std::string::npos);
  const std::string flat = plot(1, "conv1.weight");
  CHECK(flat.find("█") == std::string::npos);
  CHECK(flat.find("all 72 differences are exactly 0") != std::string::npos);
  CHECK(flat.find("─────") != std::string::npos);
  CHECK(plot(1, "conv3.weight").find("all 4,608 differences") != std::string::npos);  // binned
  try {
    plot(0, "conv1.wieght");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::request);
    CHECK(error.hint() == "did you mean 'conv1.weight'?");
  }
}

TEST_CASE("equal NaNs and infinities are no difference") {
  SampleWeights diverged = autoencoder_weights();
  for (float& value : diverged[0].tensor.values<float>()) value = std::nanf("");
  diverged[0].tensor.values<float>()[1] = std::numeric_limits<float>::infinity();
  SampleWeights other = diverged;
  SampleAudit sample;
  sample.add_group("default", {diverged, other});
  other[0].tensor.values<float>()[2] = 1;
  sample.add_group("deterministic", {diverged, other});
  const auto plot = [&](std::size_t comparison) {
    return render_plot(sample.audit, sample.audit.comparisons[comparison], "conv1.weight", 80, false);
  };
  CHECK(plot(0).find("all 72 differences are exactly 0") != std::string::npos);
  CHECK(plot(1).find("1 of 72 differences are not 0") != std::string::npos);
  CHECK(plot(1).find("×") != std::string::npos);
}

}  // namespace
}  // namespace repro

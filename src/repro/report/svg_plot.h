#pragma once

#include <string>

#include "repro/report/plot_data.h"

namespace repro {

// The bar plot of MATLAB's example: "Learnable parameter number" (from 1) against "Difference in weight
// value"; a flat line if all differences are 0. A bar that is not 0 is always visible.
std::string inline_bar_plot(const PlotData& data, const std::string& label);
std::string standalone_svg(const PlotData& data, const std::string& title);

}  // namespace repro

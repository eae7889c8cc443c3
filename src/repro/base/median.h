#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace repro {

// The median, the upper of the two middle values for an even count; 0 for none. No value may be NaN.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace repro

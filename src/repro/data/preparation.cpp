#include "repro/data/preparation.h"

#include <algorithm>
#include <array>

#include "repro/base/error.h"
#include "repro/base/random.h"
#include "repro/base/text.h"
#include "repro/data/quotient.h"

namespace repro {
namespace {

std::string size_text(std::int64_t rows, std::int64_t columns) {
  return thousands(rows) + " x " + thousands(columns);
}

std::optional<BicubicResizer> make_resizer(const std::optional<ResizeSpec>& resize, std::int64_t rows,
                                           std::int64_t columns) {
  if (!resize) return std::nullopt;
  const auto [new_rows, new_columns] = resize->size;
  for (const std::int64_t size : {rows, columns, new_rows, new_columns}) {
    if (size < 1 || size > max_resize) {
      throw Error(ErrorKind::request, "/input/resize/size: resizing from " + size_text(rows, columns) +
                                          " to " + size_text(new_rows, new_columns) +
                                          " pixels, but each must be in [1, 4,096]");
    }
  }
  return BicubicResizer(rows, columns, new_rows, new_columns);
}

struct Range {
  double low;
  double high;
};

// Smallest and largest of the values, of which there is at least one; in lanes, so that it
// vectorises.
Range range_of(std::span<const double> values) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> low, high;
  low.fill(values.front());
  high.fill(values.front());
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double v = values[i + lane];
      low[lane] = v < low[lane] ? v : low[lane];
      high[lane] = v > high[lane] ? v : high[lane];
    }
  }
  for (; i < values.size(); ++i) {
    low[0] = std::min(low[0], values[i]);
    high[0] = std::max(high[0], values[i]);
  }
  return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
}

}  // namespace

Preparation::Preparation(const InputSpec& input, std::uint32_t seed, std::int64_t rows, std::int64_t columns)
    : seed_(seed),
      rows_(input.resize ? input.resize->size[0] : rows),
      columns_(input.resize ? input.resize->size[1] : columns),
      resizer_(make_resizer(input.resize, rows, columns)),
      scale_per_image_(input.scale == Scale::per_image),
      rotate_90_(input.rotate_90) {
  if (input.noise) noise_.emplace(input.noise->density);
  if (rotate_90_ && rows_ != columns_) {
    throw Error(ErrorKind::request,
                "/input/rotate_90: the images are " + size_text(rows_, columns_) +
                    " pixels, but only square images can be turned by 90 degrees",
                "resize them to a square or leave rotate_90 out");
  }
}

void Preparation::for_training(std::int64_t epoch, std::int64_t sample, std::span<const std::uint8_t> raw,
                               Workspace& workspace, std::span<float> input, std::span<float> target) const {
  const std::string suffix = std::to_string(epoch) + "/" + std::to_string(sample);
  make_pair("noise/" + suffix, raw, workspace, input, target);
  if (!rotate_90_) return;
  const std::uint32_t turns = RandomStream(seed_, "rotate/" + suffix).below(4);
  if (turns == 0) return;
  for (const std::span<float> image : {input, target}) {
    workspace.upright.assign(image.begin(), image.end());
    rotate_quarter_turns(workspace.upright, rows_, turns, image);
  }
}

void Preparation::for_evaluation(std::int64_t sample, std::span<const std::uint8_t> raw, Workspace& workspace,
                                 std::span<float> input, std::span<float> target) const {
  make_pair("noise/evaluation/" + std::to_string(sample), raw, workspace, input, target);
}

void Preparation::make_pair(const std::string& noise_stream, std::span<const std::uint8_t> raw,
                            Workspace& workspace, std::span<float> input, std::span<float> target) const {
  develop(raw, workspace, target);
  if (!noise_) {
    std::copy(target.begin(), target.end(), input.begin());
    return;
  }
  workspace.noisy.assign(raw.begin(), raw.end());
  noise_->add(seed_, noise_stream, workspace.random, workspace.noisy);
  develop(workspace.noisy, workspace, input);
}

void Preparation::develop(std::span<const std::uint8_t> raw, Workspace& workspace,
                          std::span<float> out) const {
  std::vector<double>& values = workspace.values;
  double denominator = 1;
  if (resizer_) {
    values.resize(out.size());
    resizer_->resize(raw, workspace.resize, values);
    denominator = resizer_->denominator();
  } else {
    values.assign(raw.begin(), raw.end());
  }
  if (!scale_per_image_) {
    rounded_quotients(values, 0, 255 * denominator, out);
    return;
  }
  const auto [low, high] = range_of(values);
  if (low == high) {
    std::fill(out.begin(), out.end(), 0.0F);
  } else {
    rounded_quotients(values, low, high - low, out);
  }
}

void rotate_quarter_turns(std::span<const float> square, std::int64_t size, std::uint32_t turns,
                          std::span<float> out) {
  const std::int64_t last = size - 1;
  // Where out(0, 0) comes from, and how far apart its neighbours along a row and a column lie.
  std::int64_t first = 0, along_row = 1, along_column = size;
  switch (turns) {
    case 1: first = last, along_row = size, along_column = -1; break;
    case 2: first = size * size - 1, along_row = -1, along_column = -size; break;
    case 3: first = size * last, along_row = -size, along_column = 1; break;
    default: break;
  }
  for (std::int64_t row = 0; row < size; ++row) {
    for (std::int64_t column = 0; column < size; ++column) {
      out[static_cast<std::size_t>(row * size + column)] =
          square[static_cast<std::size_t>(first + row * along_column + column * along_row)];
    }
  }
}

}  // namespace repro

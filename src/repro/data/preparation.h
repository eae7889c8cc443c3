#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repro/data/noise.h"
#include "repro/data/resize.h"
#include "repro/spec/spec.h"

namespace repro {

// How a raw image becomes an observation, before the mean image is subtracted: noise (input only),
// resize, scale, rotation, in this order. A value is one correctly rounded division of exact
// integers:
//   with scale per_image  (v - min) / (max - min), min and max over the image, a constant image 0
//   without               v / 255
// where v is the resized, not clamped, value. Thread-safe; every result is a pure function of the
// arguments.
class Preparation {
 public:
  // Memory that a call needs; not to be shared by threads.
  struct Workspace {
    std::vector<std::uint8_t> noisy;
    std::vector<std::uint32_t> random;
    std::vector<double> values;
    std::vector<float> upright;
    BicubicResizer::Workspace resize;
  };

  // `seed` is seed.data; `rows` and `columns` those of the raw images. Error{request} for rotate_90
  // with an image that is not square (after resizing), and for a size that cannot be resized.
  Preparation(const InputSpec& input, std::uint32_t seed, std::int64_t rows, std::int64_t columns);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  // `raw`: the image of sample `sample`; `input`, `target`: rows * columns, row-major.
  // Noise from the stream "noise/<epoch>/<sample>". Both are turned counter-clockwise by k * 90
  // degrees, k = below(4) of the stream "rotate/<epoch>/<sample>".
  void for_training(std::int64_t epoch, std::int64_t sample, std::span<const std::uint8_t> raw,
                    Workspace& workspace, std::span<float> input, std::span<float> target) const;
  // Noise from the stream "noise/evaluation/<sample>", no rotation.
  void for_evaluation(std::int64_t sample, std::span<const std::uint8_t> raw, Workspace& workspace,
                      std::span<float> input, std::span<float> target) const;

 private:
  void make_pair(const std::string& noise_stream, std::span<const std::uint8_t> raw, Workspace& workspace,
                 std::span<float> input, std::span<float> target) const;
  void develop(std::span<const std::uint8_t> raw, Workspace& workspace, std::span<float> out) const;

  std::uint32_t seed_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::optional<SaltAndPepper> noise_;
  std::optional<BicubicResizer> resizer_;
  bool scale_per_image_;
  bool rotate_90_;
};

// `out` (not `square`) = `square` (size x size) turned counter-clockwise by turns * 90 degrees, as
// MATLAB's rot90: one turn brings element (row, column) to (size - 1 - column, row). turns is in
// [0, 3].
void rotate_quarter_turns(std::span<const float> square, std::int64_t size, std::uint32_t turns,
                          std::span<float> out);

}  // namespace repro

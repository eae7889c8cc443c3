#pragma once

#include <cstdint>
#include <vector>

namespace repro {

// Raw images: uint8, row-major, one channel; labels 0..9.
struct ImageSet {
  std::int64_t count = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::uint8_t> pixels;  // count * rows * columns
  std::vector<std::uint8_t> labels;  // count
};

}  // namespace repro

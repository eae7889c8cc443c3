#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace repro {

// Salt and pepper as MATLAB's imnoise draws it: pixel i (row-major) takes the i-th number r of the
// stream, uniform over [0, 2^32), and becomes 0 where r < pepper_below, 255 where pepper_below <= r
// < salt_below, and stays otherwise. With density d in [0, 1]: pepper_below = round(d 2^31) and
// salt_below = round(d 2^32), halves upwards, so that densities 0 and 1 are exact.
class SaltAndPepper {
 public:
  explicit SaltAndPepper(double density);

  // Adds the noise of RandomStream(seed, stream) to the image. `workspace`: memory to reuse.
  void add(std::uint32_t seed, std::string_view stream, std::vector<std::uint32_t>& workspace,
           std::span<std::uint8_t> pixels) const;

 private:
  std::uint64_t pepper_below_;
  std::uint64_t salt_below_;
};

}  // namespace repro

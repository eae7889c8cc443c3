#include "repro/data/noise.h"

#include <cmath>

#include "repro/data/random_words.h"

namespace repro {

SaltAndPepper::SaltAndPepper(double density)
    : pepper_below_(static_cast<std::uint64_t>(std::round(density * 0x1p31))),
      salt_below_(static_cast<std::uint64_t>(std::round(density * 0x1p32))) {}

void SaltAndPepper::add(std::uint32_t seed, std::string_view stream, std::vector<std::uint32_t>& workspace,
                        std::span<std::uint8_t> pixels) const {
  if (salt_below_ == 0) return;
  workspace.resize(pixels.size());
  fill_from_stream(seed, stream, workspace);
  // 32-bit comparisons without branches vectorise; salt_below_ itself can be 2^32.
  const auto pepper_below = static_cast<std::uint32_t>(pepper_below_);
  const auto salt_last = static_cast<std::uint32_t>(salt_below_ - 1);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const std::uint32_t r = workspace[i];
    const unsigned salt_or_kept = r <= salt_last ? 255U : unsigned{pixels[i]};
    pixels[i] = static_cast<std::uint8_t>(r < pepper_below ? 0U : salt_or_kept);
  }
}

}  // namespace repro

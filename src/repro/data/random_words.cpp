#include "repro/data/random_words.h"

#include <algorithm>
#include <array>

#include "repro/base/bytes.h"
#include "repro/base/random.h"
#include "repro/base/sha256.h"

namespace repro {

void fill_from_stream(std::uint32_t seed, std::string_view stream, std::span<std::uint32_t> out) {
  const Sha256 digest = sha256(as_byte_view(stream));
  const std::array<std::uint32_t, 2> key = {load<std::uint32_t>(digest, 0), load<std::uint32_t>(digest, 4)};
  for (std::uint64_t block = 0; !out.empty(); ++block) {
    const auto words = philox4x32(
        {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), seed, 0}, key);
    const std::size_t n = std::min(words.size(), out.size());
    std::copy_n(words.begin(), n, out.begin());
    out = out.subspan(n);
  }
}

}  // namespace repro

#include "repro/data/shuffle.h"

#include <utility>

#include "repro/base/random.h"

namespace repro {

void shuffle(std::span<std::int64_t> values, std::uint32_t seed, std::string_view stream) {
  RandomStream random(seed, stream);
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
  }
}

}  // namespace repro

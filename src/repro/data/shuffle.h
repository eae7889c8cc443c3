#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace repro {

// Fisher-Yates (Durstenfeld) with RandomStream(seed, stream): for i = n - 1 down to 1, values[i]
// changes places with values[below(i + 1)]. Precondition: fewer than 2^32 values.
void shuffle(std::span<std::int64_t> values, std::uint32_t seed, std::string_view stream);

}  // namespace repro

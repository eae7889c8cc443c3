#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace repro {

// Fills `out` with the first numbers of RandomStream(seed, stream), block by block, which is faster
// than one by one: for streams that are read in bulk, such as one number per pixel.
void fill_from_stream(std::uint32_t seed, std::string_view stream, std::span<std::uint32_t> out);

}  // namespace repro

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "repro/base/bytes.h"

namespace repro {

// A grey image as PNG (ISO/IEC 15948): 8 bits a pixel, no interlacing, filter 0. Pixels row-major, 0 black
// to 255 white. Deterministic for one version of zlib.
// Error{bug} unless pixels.size() == rows * columns and both are in [1, 65535].
Bytes encode_png(std::span<const std::uint8_t> pixels, std::uint32_t rows, std::uint32_t columns);

std::string base64(ByteView bytes);  // RFC 4648, padded

}  // namespace repro

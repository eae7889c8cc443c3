#include "repro/base/bytes.h"

namespace repro {

std::string to_hex(ByteView bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (std::byte b : bytes) out += hex_of(std::to_integer<std::uint8_t>(b));
  return out;
}

}  // namespace repro

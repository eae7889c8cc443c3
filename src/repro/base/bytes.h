#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace repro {

static_assert(std::endian::native == std::endian::little,
              "all formats are little-endian and are read and written in place");

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

inline ByteView as_byte_view(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
template <class T>
  requires std::is_trivially_copyable_v<T>
ByteView bytes_of(std::span<const T> values) {
  return std::as_bytes(values);
}

// Reads a T at any alignment. Precondition: offset + sizeof(T) <= bytes.size().
template <class T>
  requires std::is_trivially_copyable_v<T>
T load(ByteView bytes, std::size_t offset = 0) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}
template <class T>
  requires std::is_trivially_copyable_v<T>
void append(Bytes& out, const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), first, first + sizeof(T));
}

// Lower-case hexadecimal, two digits a byte, in memory order.
std::string to_hex(ByteView bytes);
// Lower-case hexadecimal of full width, most significant digit first: 1u -> "00000001".
template <class T>
  requires std::is_unsigned_v<T>
std::string hex_of(T value) {
  std::string out(sizeof(T) * 2, '0');
  for (std::size_t i = out.size(); i-- > 0; value = static_cast<T>(value >> 4)) {
    out[i] = "0123456789abcdef"[value & 15U];
  }
  return out;
}

}  // namespace repro

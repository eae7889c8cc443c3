#include "repro/pickle/integer.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace repro {
namespace {

// The number's size, without its sign, in digits of base 2^32, the lowest first.
std::vector<std::uint32_t> magnitude(std::string_view little_endian, bool negative) {
  std::vector<std::uint32_t> digits(little_endian.size() / 4 + 1, negative ? 0xFFFFFFFF : 0);
  for (std::size_t i = 0; i < little_endian.size(); ++i) {
    const std::size_t shift = i % 4 * 8;
    digits[i / 4] &= ~(std::uint32_t{0xFF} << shift);
    digits[i / 4] |= std::uint32_t{static_cast<unsigned char>(little_endian[i])} << shift;
  }
  if (!negative) return digits;
  std::uint64_t carry = 1;
  for (std::uint32_t& digit : digits) {
    carry += std::uint32_t{~digit};
    digit = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return digits;
}

}  // namespace

std::string decimal_of(std::string_view little_endian) {
  const bool negative = !little_endian.empty() && (little_endian.back() & 0x80) != 0;
  std::vector<std::uint32_t> digits = magnitude(little_endian, negative);
  std::string out;  // backwards
  for (;;) {
    while (!digits.empty() && digits.back() == 0) digits.pop_back();
    if (digits.empty()) break;
    constexpr std::uint64_t base = 1'000'000'000;
    std::uint64_t rest = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      rest = (rest << 32) | digits[i];
      digits[i] = static_cast<std::uint32_t>(rest / base);
      rest %= base;
    }
    for (int i = 0; i < 9; ++i, rest /= 10) out += static_cast<char>('0' + rest % 10);
  }
  while (!out.empty() && out.back() == '0') out.pop_back();
  if (out.empty()) return "0";
  if (negative) out += '-';
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace repro

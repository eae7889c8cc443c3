#pragma once

#include <cstdint>

// The arithmetic of fingerprints (docs/formats.md), for CPU and GPU alike: plain C++17, no library calls,
// unsigned integers only, so that the result is the same everywhere and in any order of evaluation.
//
// Design. Every word of a tensor goes through `mix`, a bijection keyed by the word's position, and the
// results are added modulo 2^64. A bijection detects any change within one word with certainty; the sum
// makes the order of evaluation free. What decides between good and bad is how the *differences* of `mix`
// are distributed when many words change in the same way: with two multiplications and shifts by 32 alone,
// flipping both signs of a pair of floats gives about 2^24 different results only. The
// multiply-and-swap rounds below leave no such class among those that were tried (docs/formats.md).

#if defined(__CUDACC__)
#define REPRO_HOST_DEVICE __host__ __device__
#else
#define REPRO_HOST_DEVICE
#endif

namespace repro {
namespace fingerprint_kernel {

constexpr std::uint64_t position_step = 0x9E3779B97F4A7C15U;  // odd: 2^64 divided by the golden ratio
constexpr std::uint64_t multiplier = 0xBF58476D1CE4E5B9U;     // odd
constexpr std::uint32_t round_1 = 0x9E3779B2U;                // even: see `multiply_low`
constexpr std::uint32_t round_2 = 0x85EBCA76U;
constexpr std::uint32_t round_3 = 0xC2B2AE3EU;
constexpr std::uint64_t salt_start = 0x31307265706F7231U;

// x xor (low half of x) * factor. A bijection for an even factor: bit i of the low half of the product
// then depends on lower bits of x only, so the low half can be recovered bit by bit, then the high half.
REPRO_HOST_DEVICE constexpr std::uint64_t multiply_low(std::uint64_t x, std::uint32_t factor) {
  return x ^ ((x & 0xFFFFFFFFU) * factor);
}
REPRO_HOST_DEVICE constexpr std::uint64_t swap_halves(std::uint64_t x) { return (x << 32) | (x >> 32); }

REPRO_HOST_DEVICE constexpr std::uint64_t mix(std::uint64_t x) {
  x = swap_halves(multiply_low(x, round_1));
  x *= multiplier;
  x = swap_halves(multiply_low(x, round_2));
  return multiply_low(x, round_3);
}

// The term of word number `index` (from 0).
REPRO_HOST_DEVICE constexpr std::uint64_t term(std::uint64_t salt, std::uint64_t index, std::uint64_t word) {
  return mix(word ^ (salt + (index + 1) * position_step));
}

// Folds one number into a salt; a bijection of `value` for each `salt`, and the other way round.
REPRO_HOST_DEVICE constexpr std::uint64_t fold(std::uint64_t salt, std::uint64_t value) {
  return mix((salt + position_step) ^ value);
}
// `dtype`: its number (tensor/dtype.h); `sizes`: `rank` dimensions.
REPRO_HOST_DEVICE constexpr std::uint64_t salt(std::uint64_t dtype, const std::int64_t* sizes,
                                               std::uint64_t rank) {
  std::uint64_t result = fold(fold(salt_start, dtype), rank);
  for (std::uint64_t i = 0; i < rank; ++i) {
    result = fold(result, static_cast<std::uint64_t>(sizes[i]));
  }
  return result;
}

}  // namespace fingerprint_kernel
}  // namespace repro

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace repro {

// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
// A pure function of counter and key; checked against the vectors published with Random123.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// An endless stream of random numbers named by (seed, name), such as (0, "noise/3/17"). Integer
// arithmetic only: the same on every machine. Two streams never influence each other, so adding a layer,
// a log line or a validation pass shifts nothing.
//
// Definition: the key is the first 8 bytes (two little-endian 32-bit words) of SHA-256(name); the n-th
// block (n = 0, 1, ...) is philox4x32({low(n), high(n), seed, 0}, key), its four words used in order.
class RandomStream {
 public:
  RandomStream(std::uint32_t seed, std::string_view name);

  std::uint32_t next();  // uniform over [0, 2^32)
  // Uniform over [0, bound), unbiased (Lemire, "Fast random integer generation in an interval", 2019).
  // Precondition: bound > 0.
  std::uint32_t below(std::uint32_t bound);
  // Uniform over {0, 1, ..., 2^24 - 1} / 2^24, exact in float and double.
  double unit24();

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint32_t seed_;
  std::uint64_t block_ = 0;
  std::array<std::uint32_t, 4> words_{};
  unsigned used_ = 4;
};

}  // namespace repro

#include "repro/base/random.h"

#include "repro/base/bytes.h"
#include "repro/base/sha256.h"

namespace repro {

// Scalars rather than an array: g++ 12 then keeps them in registers, which halves the time.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  auto [c0, c1, c2, c3] = counter;
  auto [k0, k1] = key;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {c0, c1, c2, c3};
}

RandomStream::RandomStream(std::uint32_t seed, std::string_view name) : seed_(seed) {
  const Sha256 digest = sha256(as_byte_view(name));
  key_ = {load<std::uint32_t>(digest, 0), load<std::uint32_t>(digest, 4)};
}

std::uint32_t RandomStream::next() {
  if (used_ == words_.size()) {
    words_ = philox4x32(
        {static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32), seed_, 0}, key_);
    ++block_;
    used_ = 0;
  }
  return words_[used_++];
}

std::uint32_t RandomStream::below(std::uint32_t bound) {
  std::uint64_t product = std::uint64_t{next()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t threshold = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < threshold) {
      product = std::uint64_t{next()} * bound;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double RandomStream::unit24() { return static_cast<double>(next() >> 8) * 0x1p-24; }

}  // namespace repro

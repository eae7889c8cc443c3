#include "repro/snapshot/fingerprint_sum.h"

#include <cstring>

#include "repro/snapshot/fingerprint_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "repro/snapshot/fingerprint_sum.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace repro {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace kernel = fingerprint_kernel;

#if HWY_TARGET == HWY_SCALAR
std::uint64_t sum_words(std::uint64_t salt, std::uint64_t first, const std::byte* words, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word;
    std::memcpy(&word, words + i * 8, 8);
    sum += kernel::term(salt, first + i, word);
  }
  return sum;
}
#else
using D64 = hn::CappedTag<std::uint64_t, 8>;
using D32 = hn::Repartition<std::uint32_t, D64>;
using V64 = hn::Vec<D64>;

// The low halves of x, times a factor of 32 bits.
HWY_INLINE V64 low_times(V64 x, hn::Vec<D32> factor) { return hn::MulEven(hn::BitCast(D32(), x), factor); }
HWY_INLINE V64 multiply_low(V64 x, hn::Vec<D32> factor) { return hn::Xor(x, low_times(x, factor)); }
HWY_INLINE V64 swap_halves(V64 x) { return hn::BitCast(D64(), hn::Shuffle2301(hn::BitCast(D32(), x))); }

struct Factors {  // no initialisers: a constructor would not be compiled for this instruction set
  hn::Vec<D32> round_1, round_2, round_3, low, high;
};

// kernel::mix, lane by lane. The product with the 64-bit multiplier is made of three of 32 bits.
HWY_INLINE V64 mix(V64 x, const Factors& f) {
  const V64 swapped = multiply_low(x, f.round_1);
  x = swap_halves(swapped);
  const V64 crossed = hn::Add(low_times(swapped, f.low), low_times(x, f.high));
  x = hn::Add(low_times(x, f.low), hn::ShiftLeft<32>(crossed));
  return multiply_low(swap_halves(multiply_low(x, f.round_2)), f.round_3);
}

std::uint64_t sum_words(std::uint64_t salt, std::uint64_t first, const std::byte* words, std::size_t count) {
  const D64 d;
  const std::size_t lanes = hn::Lanes(d);
  const D32 d32;
  const Factors factors{hn::Set(d32, kernel::round_1), hn::Set(d32, kernel::round_2),
                        hn::Set(d32, kernel::round_3),
                        hn::Set(d32, static_cast<std::uint32_t>(kernel::multiplier)),
                        hn::Set(d32, static_cast<std::uint32_t>(kernel::multiplier >> 32))};
  const auto* at = reinterpret_cast<const std::uint64_t*>(words);
  const V64 step = hn::Set(d, kernel::position_step * lanes);
  HWY_ALIGN std::uint64_t positions[8];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    positions[lane] = salt + (first + 1 + lane) * kernel::position_step;
  }
  V64 position = hn::Load(d, positions);
  V64 sum = hn::Zero(d), other = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const V64 next = hn::Add(position, step);
    sum = hn::Add(sum, mix(hn::Xor(hn::LoadU(d, at + i), position), factors));
    other = hn::Add(other, mix(hn::Xor(hn::LoadU(d, at + i + lanes), next), factors));
    position = hn::Add(next, step);
  }
  std::uint64_t total = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum, other)));
  for (; i < count; ++i) {
    std::uint64_t word;
    std::memcpy(&word, words + i * 8, 8);
    total += kernel::term(salt, first + i, word);
  }
  return total;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace repro
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace repro {

HWY_EXPORT(sum_words);

std::uint64_t sum_of_terms(std::uint64_t salt, std::uint64_t first, const std::byte* words,
                           std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_words)(salt, first, words, count);
}

}  // namespace repro
#endif  // HWY_ONCE

#include "repro/compare/pair_kernels.h"

#include <cmath>
#include <cstring>

#include "repro/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "repro/compare/pair_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles this file once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace repro {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A block in three arrays that stay in the first-level cache: both sides as double, and the ULP distances.
// A kernel first decodes its format into them; what follows is the same for all formats.
template <class Distance>
struct Decoded {
  alignas(64) double left[block_numbers];
  alignas(64) double right[block_numbers];
  alignas(64) Distance ulp[block_numbers];
  std::size_t count = 0;      // a whole number of lanes
  std::size_t different = 0;  // numbers whose bits differ
};

// A short block is compared in copies that are filled up with zeros to whole lanes: equal, finite, adding
// nothing.
template <class Bits>
struct Padded {
  alignas(64) Bits left[block_numbers] = {};
  alignas(64) Bits right[block_numbers] = {};
  Padded(const std::byte* l, const std::byte* r, std::size_t count) {
    std::memcpy(left, l, count * sizeof(Bits));
    std::memcpy(right, r, count * sizeof(Bits));
  }
};
HWY_INLINE std::size_t whole_lanes(std::size_t count) {
  return (count + lanes_of_block - 1) / lanes_of_block * lanes_of_block;
}

// The magnitude with the number's sign: -0 and +0 are both 0, and the difference of two of them is their
// distance in ULP (compare/ulp.h).
template <int SIGN_BIT, class V>
HWY_INLINE V with_sign(V bits, V magnitude) {
  const V sign = hn::ShiftRight<SIGN_BIT>(bits);  // 0 or all ones
  return hn::Sub(hn::Xor(magnitude, sign), sign);
}

// How the formats of at most 32 bits are read: `key` has the sign in bit 31 and the magnitude below it,
// scaled by 2^shift; `value` is the number itself.
struct Float32Reader {
  using Bits = std::uint32_t;
  static constexpr int shift = 0;
  static constexpr std::int32_t nonfinite = 0x7F800000;
  template <class D>
  static HWY_INLINE hn::Vec<D> key(D d, const Bits* at) {
    return hn::BitCast(d, hn::LoadU(hn::RebindToUnsigned<D>(), at));
  }
  template <class D>
  static HWY_INLINE auto value(D, const Bits*, hn::Vec<D> key) {
    return hn::BitCast(hn::RebindToFloat<D>(), key);
  }
};
struct Bfloat16Reader {
  using Bits = std::uint16_t;
  static constexpr int shift = 16;
  static constexpr std::int32_t nonfinite = 0x7F800000;
  template <class D>
  static HWY_INLINE hn::Vec<D> key(D d, const Bits* at) {
    const hn::Rebind<std::uint16_t, D> narrow;
    return hn::ShiftLeft<16>(hn::PromoteTo(d, hn::LoadU(narrow, at)));
  }
  template <class D>
  static HWY_INLINE auto value(D, const Bits*, hn::Vec<D> key) {
    return hn::BitCast(hn::RebindToFloat<D>(), key);
  }
};
struct Float16Reader : Bfloat16Reader {
  static constexpr std::int32_t nonfinite = 0x7C000000;
  template <class D>
  static HWY_INLINE auto value(D, const Bits* at, hn::Vec<D>) {
    const hn::Rebind<hwy::float16_t, D> narrow;
    return hn::PromoteTo(hn::RebindToFloat<D>(),
                         hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(at)));
  }
};

template <class V>
HWY_INLINE void store_doubles(V singles, double* to) {
#if HWY_TARGET == HWY_SCALAR
  const hn::Rebind<double, hn::DFromV<V>> dd;
  hn::Store(hn::PromoteTo(dd, singles), dd, to);
#else
  const hn::Half<hn::DFromV<V>> half;
  const hn::Rebind<double, decltype(half)> dd;
  hn::Store(hn::PromoteTo(dd, hn::LowerHalf(half, singles)), dd, to);
  hn::Store(hn::PromoteTo(dd, hn::UpperHalf(half, singles)), dd, to + hn::Lanes(half));
#endif
}

// False if some number is not finite.
template <class Reader>
HWY_INLINE bool decode_singles(const typename Reader::Bits* left, const typename Reader::Bits* right,
                               Decoded<std::uint32_t>& out) {
  const hn::CappedTag<std::int32_t, lanes_of_block> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto mask = hn::Set(d, 0x7FFFFFFF);
  auto largest = hn::Zero(d);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < out.count; i += hn::Lanes(d)) {
    const auto l = Reader::key(d, left + i), r = Reader::key(d, right + i);
    const auto l_magnitude = hn::And(l, mask), r_magnitude = hn::And(r, mask);
    largest = hn::Max(largest, hn::Max(l_magnitude, r_magnitude));
    equal += hn::CountTrue(d, hn::Eq(l, r));
    const auto a = with_sign<31>(l, l_magnitude), b = with_sign<31>(r, r_magnitude);
    const auto distance = hn::BitCast(du, hn::Sub(hn::Max(a, b), hn::Min(a, b)));
    hn::Store(hn::ShiftRight<Reader::shift>(distance), du, out.ulp + i);
    store_doubles(Reader::value(d, left + i, l), out.left + i);
    store_doubles(Reader::value(d, right + i, r), out.right + i);
  }
  out.different = out.count - equal;
  return hn::AllTrue(d, hn::Lt(largest, hn::Set(d, Reader::nonfinite)));
}

HWY_INLINE bool decode_doubles(const std::uint64_t* left, const std::uint64_t* right,
                               Decoded<std::uint64_t>& out) {
  const hn::CappedTag<std::int64_t, lanes_of_block> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto mask = hn::Set(d, 0x7FFFFFFFFFFFFFFF);
  auto largest = hn::Zero(d);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < out.count; i += hn::Lanes(d)) {
    const auto l = hn::BitCast(d, hn::LoadU(du, left + i)), r = hn::BitCast(d, hn::LoadU(du, right + i));
    const auto l_magnitude = hn::And(l, mask), r_magnitude = hn::And(r, mask);
    largest = hn::Max(largest, hn::Max(l_magnitude, r_magnitude));
    equal += hn::CountTrue(d, hn::Eq(l, r));
    const auto a = with_sign<63>(l, l_magnitude), b = with_sign<63>(r, r_magnitude);
    hn::Store(hn::BitCast(du, hn::Sub(hn::Max(a, b), hn::Min(a, b))), du, out.ulp + i);
    hn::Store(hn::BitCast(du, l), du, reinterpret_cast<std::uint64_t*>(out.left + i));
    hn::Store(hn::BitCast(du, r), du, reinterpret_cast<std::uint64_t*>(out.right + i));
  }
  out.different = out.count - equal;
  return hn::AllTrue(d, hn::Lt(largest, hn::Set(d, 0x7FF0000000000000)));
}

// Sums and maxima by lane; false if a difference overflowed. Lane j only ever adds numbers j, j + 8, ...
HWY_INLINE bool accumulate(const double* left, const double* right, std::size_t count, BlockFacts& facts) {
  const hn::CappedTag<double, lanes_of_block> d;
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0);
  auto largest = zero;
  for (std::size_t lane = 0; lane < lanes_of_block; lane += hn::Lanes(d)) {
    auto sum = zero, squares = zero, max_abs = zero, max_relative = zero;
    for (std::size_t i = lane; i < count; i += lanes_of_block) {
      const auto l = hn::Load(d, left + i), r = hn::Load(d, right + i);
      const auto difference = hn::Abs(hn::Sub(l, r));
      const auto larger = hn::Max(hn::Abs(l), hn::Abs(r));
      sum = hn::Add(sum, difference);
      squares = hn::Add(squares, hn::Mul(difference, difference));
      max_abs = hn::Max(max_abs, difference);
      const auto divisor = hn::IfThenElse(hn::Eq(larger, zero), one, larger);
      max_relative = hn::Max(max_relative, hn::Div(difference, divisor));
    }
    hn::StoreU(sum, d, facts.abs.data() + lane);
    hn::StoreU(squares, d, facts.squares.data() + lane);
    hn::StoreU(max_abs, d, facts.max_abs.data() + lane);
    hn::StoreU(max_relative, d, facts.max_relative.data() + lane);
    largest = hn::Max(largest, max_abs);
  }
  return hn::AllTrue(d, hn::Lt(largest, hn::Set(d, HUGE_VAL)));
}

// Precondition: no difference overflows.
HWY_INLINE bool beyond_tolerance(const double* left, const double* right, std::size_t count,
                                 const Rule& rule) {
  const hn::CappedTag<double, lanes_of_block> d;
  const auto relative = hn::Set(d, rule.relative), absolute = hn::Set(d, rule.absolute);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto l = hn::Load(d, left + i), r = hn::Load(d, right + i);
    const auto bound = hn::Add(absolute, hn::Mul(relative, hn::Abs(l)));
    if (!hn::AllTrue(d, hn::Le(hn::Abs(hn::Sub(r, l)), bound))) return true;
  }
  return false;
}

// The bit width of each lane (0 for 0), from the exponent that its half has as a floating-point number.
// Clearing every bit below a set one keeps the conversion from rounding up to the next power of two.
template <class V>
HWY_INLINE V bit_width(V x) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  constexpr int mantissa_bits = sizeof(T) == 4 ? 23 : 52;
  constexpr T bias = sizeof(T) == 4 ? 125 : 1021;  // two less: half of x, counted from 1
  const hn::RebindToSigned<decltype(d)> signed_d;
  const hn::RebindToFloat<decltype(d)> float_d;
  const V half = hn::ShiftRight<1>(x);
  const V leading = hn::AndNot(hn::ShiftRight<1>(half), half);
  const V exponent =
      hn::ShiftRight<mantissa_bits>(hn::BitCast(d, hn::ConvertTo(float_d, hn::BitCast(signed_d, leading))));
  return hn::IfThenElse(hn::Eq(half, hn::Zero(d)), x, hn::Sub(exponent, hn::Set(d, bias)));
}

// Replaces the distances by their bit widths.
template <class Distance>
HWY_INLINE void count_distances(Decoded<Distance>& block, BlockFacts& facts, UlpCounters& ulps) {
  const hn::CappedTag<Distance, lanes_of_block> d;
  const auto small = hn::Set(d, static_cast<Distance>(small_distance));
  auto largest = hn::Zero(d);
  for (std::size_t i = 0; i < block.count; i += hn::Lanes(d)) {
    const auto ulp = hn::Load(d, block.ulp + i);
    largest = hn::Max(largest, ulp);
    facts.at_small_distance += hn::CountTrue(d, hn::Eq(ulp, small));
    hn::Store(bit_width(ulp), d, block.ulp + i);
  }
  alignas(64) Distance lanes[lanes_of_block] = {};
  hn::Store(largest, d, lanes);
  for (const Distance lane : lanes) facts.max_ulp = HWY_MAX(facts.max_ulp, std::uint64_t{lane});
  for (std::size_t i = 0; i < block.count; i += 8) {
    const Distance* width = block.ulp + i;
    ++ulps.banks[0][width[0]];
    ++ulps.banks[1][width[1]];
    ++ulps.banks[2][width[2]];
    ++ulps.banks[3][width[3]];
    ++ulps.banks[0][width[4]];
    ++ulps.banks[1][width[5]];
    ++ulps.banks[2][width[6]];
    ++ulps.banks[3][width[7]];
  }
}

template <class Distance>
HWY_INLINE bool measure(Decoded<Distance>& block, const Rule& rule, BlockFacts& facts, UlpCounters& ulps) {
  if (!accumulate(block.left, block.right, block.count, facts)) return false;
  if (rule.type == Rule::Type::tolerance) {
    facts.beyond_tolerance = beyond_tolerance(block.left, block.right, block.count, rule);
  }
  facts.different = block.different;
  count_distances(block, facts, ulps);
  return true;
}

template <class Reader>
HWY_INLINE bool compare_singles(const std::byte* left, const std::byte* right, std::size_t count,
                                const Rule& rule, BlockFacts& facts, UlpCounters& ulps) {
  using Bits = typename Reader::Bits;
  Decoded<std::uint32_t> block;
  block.count = whole_lanes(count);
  bool finite = false;
  if (block.count == count) {
    finite = decode_singles<Reader>(reinterpret_cast<const Bits*>(left), reinterpret_cast<const Bits*>(right),
                                    block);
  } else {
    const Padded<Bits> padded(left, right, count);
    finite = decode_singles<Reader>(padded.left, padded.right, block);
  }
  return finite && measure(block, rule, facts, ulps);
}

bool compare_float32(const std::byte* left, const std::byte* right, std::size_t count, const Rule& rule,
                     BlockFacts& facts, UlpCounters& ulps) {
  return compare_singles<Float32Reader>(left, right, count, rule, facts, ulps);
}
bool compare_float16(const std::byte* left, const std::byte* right, std::size_t count, const Rule& rule,
                     BlockFacts& facts, UlpCounters& ulps) {
  return compare_singles<Float16Reader>(left, right, count, rule, facts, ulps);
}
bool compare_bfloat16(const std::byte* left, const std::byte* right, std::size_t count, const Rule& rule,
                      BlockFacts& facts, UlpCounters& ulps) {
  return compare_singles<Bfloat16Reader>(left, right, count, rule, facts, ulps);
}
bool compare_float64(const std::byte* left, const std::byte* right, std::size_t count, const Rule& rule,
                     BlockFacts& facts, UlpCounters& ulps) {
  Decoded<std::uint64_t> block;
  block.count = whole_lanes(count);
  bool finite = false;
  if (block.count == count) {
    finite = decode_doubles(reinterpret_cast<const std::uint64_t*>(left),
                            reinterpret_cast<const std::uint64_t*>(right), block);
  } else {
    const Padded<std::uint64_t> padded(left, right, count);
    finite = decode_doubles(padded.left, padded.right, block);
  }
  return finite && measure(block, rule, facts, ulps);
}

// Numbers whose magnitude is below `nonfinite`.
template <class Bits>
HWY_INLINE std::uint64_t count_below(const std::byte* numbers, std::size_t count, Bits nonfinite) {
  using Signed = std::make_signed_t<Bits>;
  const hn::CappedTag<Signed, lanes_of_block> d;
  const auto mask = hn::Set(d, static_cast<Signed>(static_cast<Bits>(~Bits{0}) >> 1));
  const auto limit = hn::Set(d, static_cast<Signed>(nonfinite));
  const auto* at = reinterpret_cast<const Signed*>(numbers);
  std::uint64_t finite = 0;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    finite += hn::CountTrue(d, hn::Lt(hn::And(hn::LoadU(d, at + i), mask), limit));
  }
  for (; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, numbers + i * sizeof(Bits), sizeof(Bits));
    finite += (bits & static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1)) < nonfinite ? 1U : 0U;
  }
  return finite;
}
std::uint64_t count_finite_16(const std::byte* numbers, std::size_t count, std::uint16_t nonfinite) {
  return count_below<std::uint16_t>(numbers, count, nonfinite);
}
std::uint64_t count_finite_32(const std::byte* numbers, std::size_t count, std::uint32_t nonfinite) {
  return count_below<std::uint32_t>(numbers, count, nonfinite);
}
std::uint64_t count_finite_64(const std::byte* numbers, std::size_t count, std::uint64_t nonfinite) {
  return count_below<std::uint64_t>(numbers, count, nonfinite);
}

}  // namespace HWY_NAMESPACE
}  // namespace repro
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace repro {

HWY_EXPORT(compare_float32);
HWY_EXPORT(compare_float64);
HWY_EXPORT(compare_float16);
HWY_EXPORT(compare_bfloat16);
HWY_EXPORT(count_finite_16);
HWY_EXPORT(count_finite_32);
HWY_EXPORT(count_finite_64);

bool has_kernel(DType dtype) {
  switch (dtype) {
    case DType::float16:
    case DType::bfloat16:
    case DType::float32:
    case DType::float64:
    case DType::complex64:
    case DType::complex128: return true;
    default: return false;
  }
}

bool compare_block(DType dtype, const std::byte* left, const std::byte* right, std::size_t count,
                   const Rule& rule, BlockFacts& facts, UlpCounters& ulps) {
  switch (dtype) {
    case DType::float16: return HWY_DYNAMIC_DISPATCH(compare_float16)(left, right, count, rule, facts, ulps);
    case DType::bfloat16:
      return HWY_DYNAMIC_DISPATCH(compare_bfloat16)(left, right, count, rule, facts, ulps);
    case DType::float32:
    case DType::complex64:
      return HWY_DYNAMIC_DISPATCH(compare_float32)(left, right, count, rule, facts, ulps);
    case DType::float64:
    case DType::complex128:
      return HWY_DYNAMIC_DISPATCH(compare_float64)(left, right, count, rule, facts, ulps);
    default: throw Error(ErrorKind::bug, "no kernel compares this dtype");
  }
}

std::uint64_t count_finite(DType dtype, const std::byte* numbers, std::size_t count) {
  switch (dtype) {
    case DType::float16: return HWY_DYNAMIC_DISPATCH(count_finite_16)(numbers, count, 0x7C00);
    case DType::bfloat16: return HWY_DYNAMIC_DISPATCH(count_finite_16)(numbers, count, 0x7F80);
    case DType::float32:
    case DType::complex64: return HWY_DYNAMIC_DISPATCH(count_finite_32)(numbers, count, 0x7F800000);
    case DType::float64:
    case DType::complex128: return HWY_DYNAMIC_DISPATCH(count_finite_64)(numbers, count, 0x7FF0000000000000);
    default: throw Error(ErrorKind::bug, "no kernel counts this dtype");
  }
}

}  // namespace repro
#endif  // HWY_ONCE

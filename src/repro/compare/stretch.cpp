#include "repro/compare/stretch.h"

#include <cstring>

#include "repro/compare/pair_kernels.h"
#include "repro/compare/scalar_pairs.h"

namespace repro {
namespace {

std::uint64_t parts_of(DType dtype) { return is_complex(dtype) ? 2 : 1; }

// Elements that are read at once: their bytes fit the second-level cache where they must be gathered.
constexpr std::uint64_t piece_blocks = 32;

std::uint64_t finite_in_block(DType dtype, ByteView bytes) {
  return with_format(dtype, [&](auto format) -> std::uint64_t {
    using Format = decltype(format);
    using Bits = typename Format::Bits;
    const std::size_t count = bytes.size() / sizeof(Bits);
    if constexpr (!Format::is_floating) {
      return Format::is_number ? count : 0;
    } else {
      if (has_kernel(dtype)) return count_finite(dtype, bytes.data(), count);
      std::uint64_t finite = 0;
      for (std::size_t i = 0; i < count; ++i) {
        finite += Format::is_finite(load<Bits>(bytes, i * sizeof(Bits))) ? 1U : 0U;
      }
      return finite;
    }
  });
}

class StretchComparer {
 public:
  StretchComparer(DType dtype, const Rule& rule, PairStatistics& statistics)
      : dtype_(dtype),
        number_bytes_(size_of(dtype) / parts_of(dtype)),
        vectorised_(has_kernel(dtype)),
        rule_(rule),
        statistics_(statistics) {}

  // Whole blocks but for the last one; `first` is the first number's.
  void compare(ByteView left, ByteView right, std::uint64_t first) {
    const std::size_t block_bytes = block_numbers * number_bytes_;
    for (std::size_t at = 0; at < left.size(); at += block_bytes) {
      const std::size_t size = std::min(block_bytes, left.size() - at);
      compare_one(left.subspan(at, size), right.subspan(at, size), first + at / number_bytes_);
    }
  }

  // What was counted by bit widths and not pair by pair.
  void finish() {
    std::uint64_t value_differences = 0;
    for (std::size_t width = 1; width <= 64; ++width) {
      const std::uint64_t count = ulps_.of_width(width);
      statistics_.ulp_bins[width - 1] += count;
      value_differences += count;
      if (width == 1) statistics_.last_bit += count;
      if (width >= 2 && width <= 10) statistics_.small += count;
    }
    statistics_.value_differences += value_differences;
    statistics_.sign_of_zero_mismatches += numbers_different_ - value_differences;
    if (rule_.type == Rule::Type::value && value_differences > 0) statistics_.within_rule = false;
    if (rule_.type == Rule::Type::bitwise && numbers_different_ > 0) statistics_.within_rule = false;
  }

 private:
  void compare_one(ByteView left, ByteView right, std::uint64_t first) {
    const std::size_t numbers = left.size() / number_bytes_;
    if (std::memcmp(left.data(), right.data(), left.size()) == 0) {
      statistics_.finite_pairs += finite_in_block(dtype_, left);
      return;
    }
    BlockFacts facts;
    if (vectorised_ && compare_block(dtype_, left.data(), right.data(), numbers, rule_, facts, ulps_)) {
      add(facts, numbers);
      count_elements(left, right, first / parts_of(dtype_), facts.different);
      return;
    }
    with_format(dtype_, [&](auto format) {
      ScalarPairs<decltype(format)>(rule_, statistics_, first).compare(left, right, first);
    });
  }

  void add(const BlockFacts& facts, std::size_t numbers) {
    statistics_.finite_pairs += numbers;
    statistics_.sum_abs += sum_of(facts.abs);
    statistics_.sum_squares += sum_of(facts.squares);
    for (std::size_t lane = 0; lane < lanes_of_block; ++lane) {
      statistics_.max_abs = std::max(statistics_.max_abs, facts.max_abs[lane]);
      statistics_.max_relative = std::max(statistics_.max_relative, facts.max_relative[lane]);
    }
    statistics_.max_ulp = std::max(statistics_.max_ulp, facts.max_ulp);
    statistics_.small += facts.at_small_distance;
    if (rule_.type == Rule::Type::ulp && facts.max_ulp > rule_.max_ulp) statistics_.within_rule = false;
    if (facts.beyond_tolerance) statistics_.within_rule = false;
    numbers_different_ += facts.different;
  }

  // The first element that differs, and how many do: `numbers` do, but a complex element has two.
  void count_elements(ByteView left, ByteView right, std::uint64_t first_element, std::uint64_t numbers) {
    const std::size_t size = size_of(dtype_);
    const bool complex = is_complex(dtype_);
    if (!complex) statistics_.different += numbers;
    if (!complex && statistics_.first_different) return;
    for (std::size_t at = 0; at < left.size(); at += size) {
      if (std::memcmp(left.data() + at, right.data() + at, size) == 0) continue;
      if (!statistics_.first_different) statistics_.first_different = first_element + at / size;
      if (!complex) return;
      ++statistics_.different;
    }
  }

  const DType dtype_;
  const std::size_t number_bytes_;
  const bool vectorised_;
  const Rule& rule_;
  PairStatistics& statistics_;
  UlpCounters ulps_;
  std::uint64_t numbers_different_ = 0;  // in blocks that a kernel has compared
};

// Calls f(first, count) for the pieces of a range of elements.
template <class Function>
void for_pieces(DType dtype, std::uint64_t first, std::uint64_t elements, Function f) {
  const std::uint64_t step = piece_blocks * block_numbers / parts_of(dtype);
  for (std::uint64_t done = 0; done < elements; done += step) {
    f(first + done, std::min(step, elements - done));
  }
}

}  // namespace

std::uint64_t stretch_elements(DType dtype) { return stretch_blocks * block_numbers / parts_of(dtype); }

StretchResult compare_stretch(const RowMajor& reference, const RowMajor& candidate, DType dtype,
                              std::uint64_t first, std::uint64_t elements, const Rule& rule) {
  StretchResult result;
  Bytes left_scratch, right_scratch;
  std::uint64_t equal_elements = 0;  // from `first` on, in whole pieces
  bool still_equal = true;
  for_pieces(dtype, first, elements, [&](std::uint64_t at, std::uint64_t count) {
    if (!still_equal) return;
    const ByteView left = reference.read(at, count, left_scratch);
    const ByteView right = candidate.read(at, count, right_scratch);
    still_equal = std::memcmp(left.data(), right.data(), left.size()) == 0;
    if (still_equal) equal_elements += count;
  });
  if (still_equal) {
    result.equal = true;
    return result;
  }
  PairStatistics& statistics = result.statistics;
  statistics.finite_pairs = finite_numbers(reference, dtype, first, equal_elements);
  StretchComparer comparer(dtype, rule, statistics);
  for_pieces(dtype, first + equal_elements, elements - equal_elements,
             [&](std::uint64_t at, std::uint64_t count) {
               comparer.compare(reference.read(at, count, left_scratch),
                                candidate.read(at, count, right_scratch), at * parts_of(dtype));
             });
  comparer.finish();
  return result;
}

std::uint64_t finite_numbers(const RowMajor& tensor, DType dtype, std::uint64_t first,
                             std::uint64_t elements) {
  Bytes scratch;
  std::uint64_t finite = 0;
  for_pieces(dtype, first, elements, [&](std::uint64_t at, std::uint64_t count) {
    finite += finite_in_block(dtype, tensor.read(at, count, scratch));
  });
  return finite;
}

}  // namespace repro

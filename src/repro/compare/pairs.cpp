#include <algorithm>
#include <cmath>

#include "repro/base/number.h"
#include "repro/compare/diff.h"
#include "repro/compare/ulp.h"

namespace repro {
namespace {

void check_alike(const TensorView& reference, const TensorView& candidate) {
  if (reference.dtype != candidate.dtype || reference.shape != candidate.shape ||
      reference.bytes.size() != candidate.bytes.size()) {
    throw Error(ErrorKind::bug, "pairs of tensors of unlike dtype or shape");
  }
}

template <class Format>
std::string number_text(typename Format::Bits bits) {
  if constexpr (!Format::is_number) {
    return bits == 0 ? "false" : bits == 1 ? "true" : std::to_string(bits);
  } else if constexpr (!Format::is_floating) {
    return std::to_string(static_cast<typename Format::Integer>(bits));
  } else if constexpr (sizeof(bits) == sizeof(double)) {
    return shortest(Format::value(bits));
  } else {
    return shortest(static_cast<float>(Format::value(bits)));
  }
}

// left - right; of integers the exact magnitude and its sign.
template <class Format>
std::string difference_text(typename Format::Bits left, typename Format::Bits right) {
  if constexpr (!Format::is_number) {
    return "";
  } else if constexpr (Format::is_floating) {
    return shortest(Format::value(left) - Format::value(right));
  } else {
    const auto l = static_cast<typename Format::Integer>(left);
    const auto r = static_cast<typename Format::Integer>(right);
    const auto wide = static_cast<std::uint64_t>(l) - static_cast<std::uint64_t>(r);
    return l < r ? "-" + std::to_string(0 - wide) : std::to_string(wide);
  }
}

template <class Format>
double difference_value(typename Format::Bits left, typename Format::Bits right) {
  if constexpr (Format::is_floating) {
    return Format::value(left) - Format::value(right);
  } else {
    const auto l = static_cast<typename Format::Integer>(left);
    const auto r = static_cast<typename Format::Integer>(right);
    const auto wide = static_cast<std::uint64_t>(l) - static_cast<std::uint64_t>(r);
    return l < r ? -static_cast<double>(0 - wide) : static_cast<double>(wide);
  }
}

template <class Format>
std::string ulp_text(typename Format::Bits left, typename Format::Bits right) {
  if constexpr (Format::is_floating) {
    if (Format::is_finite(left) && Format::is_finite(right)) {
      return std::to_string(ulp_distance<Format>(left, right));
    }
  }
  return "";
}

template <class Format>
ValuePair pair_at(ByteView reference, ByteView candidate, std::uint64_t index) {
  using Bits = typename Format::Bits;
  ValuePair pair;
  pair.index = index;
  for (std::uint64_t part = 0; part < Format::parts; ++part) {
    const auto at = static_cast<std::size_t>((index * Format::parts + part) * sizeof(Bits));
    const auto l = load<Bits>(reference, at), r = load<Bits>(candidate, at);
    const char* separator = part == 0 ? "" : ";";
    pair.reference += separator + number_text<Format>(l);
    pair.candidate += separator + number_text<Format>(r);
    pair.difference += separator + difference_text<Format>(l, r);
    pair.ulp += separator + ulp_text<Format>(l, r);
    pair.reference_bits += separator + hex_of(l);
    pair.candidate_bits += separator + hex_of(r);
    pair.bits_differ = pair.bits_differ || l != r;
  }
  if (pair.ulp == ";") pair.ulp.clear();  // absent for both parts
  return pair;
}

}  // namespace

void visit_pairs(const TensorView& reference, const TensorView& candidate, bool only_different,
                 const std::function<void(const ValuePair&)>& visit) {
  check_alike(reference, candidate);
  constexpr std::uint64_t block = 1024;  // elements that are compared at once to skip equal ones
  const std::size_t size = size_of(reference.dtype);
  const std::uint64_t count = reference.size();
  const auto differs = [&](std::uint64_t first, std::uint64_t elements) {
    const auto at = static_cast<std::size_t>(first) * size;
    return std::memcmp(reference.bytes.data() + at, candidate.bytes.data() + at,
                       static_cast<std::size_t>(elements) * size) != 0;
  };
  with_format(reference.dtype, [&](auto format) {
    for (std::uint64_t first = 0; first < count; first += block) {
      const std::uint64_t end = std::min(first + block, count);
      if (only_different && !differs(first, end - first)) continue;
      for (std::uint64_t i = first; i < end; ++i) {
        if (only_different && !differs(i, 1)) continue;
        visit(pair_at<decltype(format)>(reference.bytes, candidate.bytes, i));
      }
    }
  });
}

std::vector<double> differences(const TensorView& reference, const TensorView& candidate) {
  check_alike(reference, candidate);
  std::vector<double> result(static_cast<std::size_t>(reference.size()));
  with_format(reference.dtype, [&](auto format) {
    using Format = decltype(format);
    using Bits = typename Format::Bits;
    const auto part = [&](std::size_t number) {
      const std::size_t at = number * sizeof(Bits);
      return difference_value<Format>(load<Bits>(reference.bytes, at), load<Bits>(candidate.bytes, at));
    };
    for (std::size_t i = 0; i < result.size(); ++i) {
      if constexpr (Format::parts == 1) {
        result[i] = part(i);
      } else {
        result[i] = std::hypot(part(2 * i), part(2 * i + 1));
      }
    }
  });
  return result;
}

}  // namespace repro

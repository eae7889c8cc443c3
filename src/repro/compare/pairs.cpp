#include "repro/compare/pairs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "repro/base/number.h"
#include "repro/compare/ulp.h"

namespace repro {
namespace {

void check_alike(const StoredTensor& reference, const StoredTensor& candidate) {
  if (reference.dtype != candidate.dtype || reference.shape != candidate.shape) {
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

// The pair number `at` of two blocks, which is number `index` of the tensor.
template <class Format>
ValuePair pair_of(ByteView reference, ByteView candidate, std::uint64_t at, std::uint64_t index) {
  using Bits = typename Format::Bits;
  ValuePair pair;
  pair.index = index;
  for (std::uint64_t part = 0; part < Format::parts; ++part) {
    const auto offset = static_cast<std::size_t>((at * Format::parts + part) * sizeof(Bits));
    const auto l = load<Bits>(reference, offset), r = load<Bits>(candidate, offset);
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

constexpr std::uint64_t block_elements = 1024;  // read, and compared to skip equal ones, at once

// Calls f(reference's bytes, candidate's bytes, first element) for the blocks of two tensors.
template <class Function>
void for_blocks(const StoredTensor& reference, const StoredTensor& candidate, Function f) {
  check_alike(reference, candidate);
  const RowMajor left(reference), right(candidate);
  const std::uint64_t count = reference.size();
  Bytes left_scratch, right_scratch;
  for (std::uint64_t first = 0; first < count; first += block_elements) {
    const std::uint64_t elements = std::min(block_elements, count - first);
    f(left.read(first, elements, left_scratch), right.read(first, elements, right_scratch), first);
  }
}

bool equal_bytes(ByteView left, ByteView right) {
  return std::memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace

void visit_pairs(const StoredTensor& reference, const StoredTensor& candidate, bool only_different,
                 const std::function<void(const ValuePair&)>& visit) {
  const std::size_t size = size_of(reference.dtype);
  with_format(reference.dtype, [&](auto format) {
    for_blocks(reference, candidate, [&](ByteView left, ByteView right, std::uint64_t first) {
      if (only_different && equal_bytes(left, right)) return;
      for (std::size_t i = 0; i * size < left.size(); ++i) {
        if (only_different && equal_bytes(left.subspan(i * size, size), right.subspan(i * size, size))) {
          continue;
        }
        visit(pair_of<decltype(format)>(left, right, i, first + i));
      }
    });
  });
}

PairBytes pair_bytes_at(const StoredTensor& reference, const StoredTensor& candidate, std::uint64_t index) {
  check_alike(reference, candidate);
  Bytes scratch;
  PairBytes bytes;
  std::ranges::copy(RowMajor(reference).read(index, 1, scratch), bytes.reference.begin());
  std::ranges::copy(RowMajor(candidate).read(index, 1, scratch), bytes.candidate.begin());
  return bytes;
}

ValuePair pair_of(DType dtype, const PairBytes& bytes, std::uint64_t index) {
  return with_format(dtype, [&](auto format) {
    return pair_of<decltype(format)>(bytes.reference, bytes.candidate, 0, index);
  });
}

ValuePair pair_at(const StoredTensor& reference, const StoredTensor& candidate, std::uint64_t index) {
  return pair_of(reference.dtype, pair_bytes_at(reference, candidate, index), index);
}

void visit_values(const StoredTensor& tensor, std::uint64_t limit,
                  const std::function<void(std::uint64_t, const ValueText&)>& visit) {
  const RowMajor reader(tensor);
  const std::uint64_t count = std::min(limit, tensor.size());
  Bytes scratch;
  with_format(tensor.dtype, [&](auto format) {
    for (std::uint64_t first = 0; first < count; first += block_elements) {
      const std::uint64_t elements = std::min(block_elements, count - first);
      const ByteView bytes = reader.read(first, elements, scratch);
      for (std::uint64_t i = 0; i < elements; ++i) {
        ValuePair pair = pair_of<decltype(format)>(bytes, bytes, i, first + i);
        visit(first + i, {std::move(pair.reference), std::move(pair.reference_bits)});
      }
    }
  });
}

void visit_differences(const StoredTensor& reference, const StoredTensor& candidate,
                       const std::function<void(std::span<const double>)>& visit) {
  std::vector<double> differences;
  with_format(reference.dtype, [&](auto format) {
    using Format = decltype(format);
    using Bits = typename Format::Bits;
    for_blocks(reference, candidate, [&](ByteView left, ByteView right, std::uint64_t) {
      const auto part = [&](std::size_t number) {
        const std::size_t at = number * sizeof(Bits);
        const auto l = load<Bits>(left, at), r = load<Bits>(right, at);
        return l == r ? 0.0 : difference_value<Format>(l, r);
      };
      differences.resize(left.size() / size_of(reference.dtype));
      for (std::size_t i = 0; i < differences.size(); ++i) {
        if constexpr (Format::parts == 1) {
          differences[i] = part(i);
        } else {
          differences[i] = std::hypot(part(2 * i), part(2 * i + 1));
        }
      }
      visit(differences);
    });
  });
}

}  // namespace repro

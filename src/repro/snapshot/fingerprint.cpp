#include "repro/snapshot/fingerprint.h"

#include <algorithm>
#include <atomic>

#include "repro/base/parallel.h"
#include "repro/snapshot/fingerprint_kernel.h"
#include "repro/snapshot/fingerprint_sum.h"

namespace repro {
namespace {

namespace kernel = fingerprint_kernel;

// The piece of work of a thread: large enough to be worth one, a whole number of words for every dtype.
constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;
// What is gathered at once of a tensor that does not lie in row-major order.
constexpr std::uint64_t gather_bytes = 65536;

// The terms of whole words and of a zero-padded last one, from word `first` on.
std::uint64_t sum_of_bytes(std::uint64_t salt, std::uint64_t first, ByteView bytes) {
  const std::size_t words = bytes.size() / 8;
  std::uint64_t sum = sum_of_terms(salt, first, bytes.data(), words);
  if (const std::size_t rest = bytes.size() % 8; rest > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + words * 8, rest);
    sum += kernel::term(salt, first + words, word);
  }
  return sum;
}

// The terms of bytes [begin, end) of the tensor in row-major order; `begin` is a multiple of 8.
std::uint64_t sum_of_range(std::uint64_t salt, const RowMajor& tensor, std::size_t element_bytes,
                           std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t step = tensor.plain() ? piece_bytes : gather_bytes;
  Bytes scratch;
  std::uint64_t sum = 0;
  for (std::uint64_t at = begin; at < end; at += step) {
    const std::uint64_t size = std::min(step, end - at);
    sum += sum_of_bytes(salt, at / 8, tensor.read(at / element_bytes, size / element_bytes, scratch));
  }
  return sum;
}

}  // namespace

Fingerprint fingerprint(const StoredTensor& tensor, std::uint64_t piece, const ForEach& for_each) {
  const std::uint64_t salt =
      kernel::salt(static_cast<std::uint64_t>(tensor.dtype), tensor.shape.data(), tensor.shape.size());
  const RowMajor reader(tensor);
  const std::size_t element_bytes = size_of(tensor.dtype);
  const std::uint64_t size = tensor.size_bytes();
  std::atomic<std::uint64_t> sum{salt};
  for_each((size + piece - 1) / piece, [&](std::uint64_t i) {
    const std::uint64_t begin = i * piece;
    sum += sum_of_range(salt, reader, element_bytes, begin, std::min(size, begin + piece));
  });
  return sum;
}

Fingerprint fingerprint(const StoredTensor& tensor, unsigned threads) {
  if (tensor.size_bytes() < 2 * piece_bytes) threads = 1;
  return fingerprint(tensor, piece_bytes, [&](std::uint64_t count, const auto& work) {
    if (threads > 1) return parallel_for(count, threads, work);
    for (std::uint64_t i = 0; i < count; ++i) work(i);
  });
}

Fingerprint group_fingerprint(std::span<const NamedFingerprint> members) {
  std::vector<std::uint64_t> words;
  words.reserve(members.size() * 2);
  for (const NamedFingerprint& member : members) {
    const ByteView name = as_byte_view(member.name);
    words.push_back(fingerprint(TensorView{DType::uint8, {static_cast<std::int64_t>(name.size())}, name}));
    words.push_back(member.value);
  }
  const auto size = static_cast<std::int64_t>(words.size());
  return fingerprint(TensorView{DType::uint64, {size}, std::as_bytes(std::span(words))});
}

}  // namespace repro

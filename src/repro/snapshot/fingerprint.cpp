#include "repro/snapshot/fingerprint.h"

#include "repro/snapshot/fingerprint_kernel.h"

namespace repro {
namespace {

namespace kernel = fingerprint_kernel;

// The sum of the terms of whole words and a zero-padded tail. Four sums, so that no addition waits for the
// one before it; the order does not matter.
std::uint64_t sum_of_terms(std::uint64_t salt, ByteView bytes) {
  const std::byte* data = bytes.data();
  const std::size_t words = bytes.size() / 8;
  std::uint64_t sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= words; i += 4) {
    std::uint64_t word[4];
    std::memcpy(word, data + i * 8, sizeof(word));
    for (std::size_t lane = 0; lane < 4; ++lane) {
      sums[lane] += kernel::term(salt, i + lane, word[lane]);
    }
  }
  for (; i < words; ++i) sums[0] += kernel::term(salt, i, load<std::uint64_t>(bytes, i * 8));
  if (const std::size_t rest = bytes.size() % 8; rest > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + words * 8, rest);
    sums[0] += kernel::term(salt, words, word);
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

}  // namespace

Fingerprint fingerprint(const TensorView& tensor) {
  const std::uint64_t salt =
      kernel::salt(static_cast<std::uint64_t>(tensor.dtype), tensor.shape.data(), tensor.shape.size());
  return salt + sum_of_terms(salt, tensor.bytes);
}

Fingerprint group_fingerprint(std::span<const NamedFingerprint> members) {
  std::vector<std::uint64_t> words;
  words.reserve(members.size() * 2);
  for (const NamedFingerprint& member : members) {
    const ByteView name = as_byte_view(member.name);
    words.push_back(fingerprint({DType::uint8, {static_cast<std::int64_t>(name.size())}, name}));
    words.push_back(member.value);
  }
  const auto size = static_cast<std::int64_t>(words.size());
  return fingerprint({DType::uint64, {size}, std::as_bytes(std::span(words))});
}

}  // namespace repro

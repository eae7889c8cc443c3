#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "repro/tensor/stored_tensor.h"

namespace repro {

// 64-bit fingerprints; defined in docs/formats.md by the functions of fingerprint_kernel.h. Equal dtype,
// shape and bytes give equal fingerprints on any machine; any change within one 64-bit word changes it with
// certainty, other changes are missed with a probability of about 2^-64 for unrelated data.
using Fingerprint = std::uint64_t;

// Of the elements in row-major order, whatever the layout. Large tensors are shared by up to `threads`
// threads, which changes no bit. Error{input} as RowMajor.
Fingerprint fingerprint(const StoredTensor& tensor, unsigned threads = 1);
// The same in pieces of `piece_bytes`, a multiple of 16, each once, by whatever threads `for_each` has: it
// calls its second argument with every number in [0, count), in any order, and returns when all are done.
using ForEach = std::function<void(std::uint64_t count, const std::function<void(std::uint64_t)>& work)>;
Fingerprint fingerprint(const StoredTensor& tensor, std::uint64_t piece_bytes, const ForEach& for_each);

// Covers names and members in order.
struct NamedFingerprint {
  std::string name;
  Fingerprint value = 0;
};
Fingerprint group_fingerprint(std::span<const NamedFingerprint> members);

}  // namespace repro

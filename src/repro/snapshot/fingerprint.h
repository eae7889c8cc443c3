#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "repro/tensor/tensor.h"

namespace repro {

// 64-bit fingerprints; defined in docs/formats.md by the functions of fingerprint_kernel.h. Equal dtype,
// shape and bytes give equal fingerprints on any machine; any change within one 64-bit word changes it with
// certainty, other changes are missed with a probability of about 2^-64 for unrelated data.
using Fingerprint = std::uint64_t;

Fingerprint fingerprint(const TensorView& tensor);

// Covers names and members in order.
struct NamedFingerprint {
  std::string name;
  Fingerprint value = 0;
};
Fingerprint group_fingerprint(std::span<const NamedFingerprint> members);

}  // namespace repro

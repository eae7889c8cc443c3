#pragma once

#include <cstddef>
#include <cstdint>

#include "repro/base/bytes.h"

namespace repro {

// The sum modulo 2^64 of fingerprint_kernel::term(salt, first + i, word[i]) over `count` words at `words`,
// any alignment: vectorised for the instruction set of this machine, which changes no bit.
std::uint64_t sum_of_terms(std::uint64_t salt, std::uint64_t first, const std::byte* words,
                           std::size_t count);

}  // namespace repro

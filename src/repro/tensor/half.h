#pragma once

#include <cstdint>

#include "repro/tensor/dtype.h"

namespace repro {

// Exact conversions to float or double; a NaN stays a NaN (its payload is shifted up, never lost to a
// quiet default).
float float_from_half(std::uint16_t bits);
float float_from_bfloat16(std::uint16_t bits);

// Any floating dtype of at most 16 bits, by its bits, to double. OCP 8-bit formats: "OCP 8-bit
// Floating Point Specification (OFP8)", 2023; the fnuz variants as in PyTorch and LLVM APFloat.
// Error{bug} for a dtype that is not such a type.
double double_from_small_float(DType dtype, std::uint16_t bits);

}  // namespace repro

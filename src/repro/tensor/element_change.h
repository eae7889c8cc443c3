#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "repro/tensor/dtype.h"

namespace repro {

// A small change of one number, spelled as in --inject.
struct ElementChange {
  enum class Kind {
    ulp,   // "ulp=1": that many representable values upwards (negative: downwards)
    bit,   // "bit=31": this bit flipped, 0 is the lowest
    bits,  // "bits=7fc00001": these bits, lower-case hexadecimal of full width
  } kind = Kind::ulp;
  std::int64_t amount = 1;    // ulp, bit
  std::uint64_t pattern = 0;  // bits
  bool operator==(const ElementChange&) const = default;
};
std::string text_of(const ElementChange& change);
// Error{request} for anything else; `what` names the option.
ElementChange parse_element_change(std::string_view text, std::string_view what);

// Applies a change to one little-endian element. -0 and +0 are one point of the ulp scale. Integers count by
// one. Error{unavailable} where there is nothing to change to: ulp of a boolean, a complex or an 8-bit float,
// of NaN or an infinity, beyond the largest finite number; a bit beyond the width; more than eight bytes.
void change_element(std::span<std::byte> element, DType dtype, const ElementChange& change);

}  // namespace repro

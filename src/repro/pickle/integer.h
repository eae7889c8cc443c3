#pragma once

#include <string>
#include <string_view>

namespace repro {

// A little-endian two's complement number of any size as decimal text: "-170141183460469231731". Takes
// time in the square of the size.
std::string decimal_of(std::string_view little_endian);

}  // namespace repro

#include "repro/spec/field.h"

#include "repro/spec/json_value.h"

namespace repro {

std::string range_text(const Range& range) {
  const std::string low = number_text(range.low);
  const std::string high = number_text(range.high);
  if (!range.low_open && !range.high_open) return low + " to " + high;
  return (range.low_open ? "above " : "at least ") + low + ", " + (range.high_open ? "below " : "at most ") +
         high;
}

}  // namespace repro

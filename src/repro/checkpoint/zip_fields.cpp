#include "repro/checkpoint/zip_fields.h"

#include <limits>

#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"

namespace repro {

Zip64Fields::Zip64Fields(ByteView extra, std::string what) : what_(std::move(what)) {
  bool found = false;
  // Up to 3 bytes may be left: writers that align members pad with them.
  while (extra.size() >= 4) {
    const auto kind = load<std::uint16_t>(extra);
    const auto size = load<std::uint16_t>(extra, 2);
    extra = extra.subspan(4);
    if (size > extra.size()) {
      refuse(what_, "an extra field claims " + thousands(std::uint64_t{size}) + " bytes, " +
                        thousands(std::uint64_t{extra.size()}) + " are left");
    }
    if (kind == 1) {
      if (found) refuse(what_, "it has two zip64 extra fields, one is allowed");
      found = true;
      rest_ = extra.first(size);
    }
    extra = extra.subspan(size);
  }
}

ByteView Zip64Fields::take(std::size_t size, const char* field) {
  if (rest_.size() < size) {
    refuse(what_,
           std::string("the ") + field + " should stand in a zip64 extra field, which is missing or short");
  }
  const ByteView value = rest_.first(size);
  rest_ = rest_.subspan(size);
  return value;
}

std::uint64_t Zip64Fields::resolve(std::uint32_t value, const char* field) {
  if (value != std::numeric_limits<std::uint32_t>::max()) return value;
  return load<std::uint64_t>(take(8, field));
}

std::uint32_t Zip64Fields::resolve_disk(std::uint16_t value) {
  if (value != std::numeric_limits<std::uint16_t>::max()) return value;
  return load<std::uint32_t>(take(4, "number of the part"));
}

}  // namespace repro

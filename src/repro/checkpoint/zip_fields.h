#pragma once

#include <cstdint>
#include <string>

#include "repro/base/bytes.h"

namespace repro {

constexpr std::uint32_t zip_local_signature = 0x04034B50;
constexpr std::uint32_t zip_central_signature = 0x02014B50;
constexpr std::uint32_t zip_end_signature = 0x06054B50;
constexpr std::uint32_t zip64_end_signature = 0x06064B50;
constexpr std::uint32_t zip64_locator_signature = 0x07064B50;
constexpr std::uint32_t zip_descriptor_signature = 0x08074B50;

// Bit 3 of the flags: checksum and sizes follow the data in a descriptor.
constexpr std::uint16_t zip_has_descriptor = 1U << 3;

// The zip64 part of a header's extra fields: 64-bit values for exactly those fields of the header that are
// all ones, in the header's order.
class Zip64Fields {
 public:
  // Error{input} if the extra fields do not follow each other within `extra`, or there are two zip64 parts.
  Zip64Fields(ByteView extra, std::string what);

  // `value`, or the next value of the zip64 part if it is all ones. Error{input} if there is no such value.
  std::uint64_t resolve(std::uint32_t value, const char* field);
  std::uint32_t resolve_disk(std::uint16_t value);

 private:
  ByteView take(std::size_t size, const char* field);

  ByteView rest_;
  std::string what_;
};

}  // namespace repro

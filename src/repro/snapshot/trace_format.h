#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "repro/base/bytes.h"
#include "repro/snapshot/trace.h"

namespace repro {

// What writer and reader of trace.bin share (docs/formats.md).
constexpr std::string_view trace_magic = "repro\ntr";  // the line feed finds text-mode damage
constexpr std::uint32_t trace_version = 2;
constexpr std::size_t trace_header_bytes = 16;  // magic, version, CRC-32 of these twelve bytes
constexpr std::size_t trace_frame_bytes = 8;    // length of the payload, CRC-32 of these four bytes
constexpr std::size_t trace_check_bytes = 4;    // CRC-32 of the payload, behind it
constexpr std::uint8_t phase_count = 8;
constexpr std::uint8_t slot_kind_count = 7;
constexpr std::uint8_t trace_dtype_count = 22;  // 0 = none or unknown, then tensor/dtype.h
constexpr std::size_t trace_slot_bytes = 8;     // of the smallest one: eight fields of a byte

inline std::uint32_t trace_checksum(ByteView bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace repro

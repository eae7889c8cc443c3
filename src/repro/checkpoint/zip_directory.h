#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repro/base/bytes.h"

namespace repro {

// One entry of a central directory: what the local header must agree with.
struct ZipEntry {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc32 = 0;
  std::uint64_t packed_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t header_at = 0;  // where the local header begins
};

struct ZipDirectory {
  std::vector<ZipEntry> entries;  // in their order
  std::uint64_t begin = 0;        // where the directory begins, and the members end
};

// Reads the end records and the central directory, zip64 included. Error{input} that starts with `what` for
// whatever does not fit the file, for methods, flags and archives in parts that are not read, and for names
// that are empty, not UTF-8, or hold a NUL.
ZipDirectory read_zip_directory(ByteView bytes, const std::string& what);

}  // namespace repro

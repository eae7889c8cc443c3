#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repro/base/bytes.h"

namespace repro::test {

// One member of an archive that is to be built.
struct ZipPart {
  std::string name;
  Bytes data;
  bool deflate = false;
  std::uint16_t flags = 0;
  int descriptor_bytes = 0;  // 12, 16, 20 or 24: sets bit 3, and leaves the local header's numbers open
  Bytes local_extra = {}, central_extra = {};
  bool local_zip64 = false;  // as NumPy writes: sizes in the local extra field
};

// An archive, and where its records begin, so that tests can break each field.
struct BuiltZip {
  Bytes bytes;
  std::vector<std::size_t> local_at, data_at, central_at;
  std::size_t directory_at = 0, zip64_end_at = 0, locator_at = 0, end_at = 0;
};
BuiltZip build_zip(const std::vector<ZipPart>& parts, bool zip64 = false, const std::string& comment = "");

template <class T>
void patch(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

Bytes bytes_of_text(std::string_view text);
Bytes deflated(ByteView plain);
std::uint32_t crc32_of(ByteView bytes);

// A .npy file of version 1.0 with the given Python text as its header, padded as NumPy does.
Bytes npy_file(const std::string& dictionary, ByteView data);
std::string npy_dictionary(const std::string& descr, const std::string& shape, bool fortran = false);

}  // namespace repro::test

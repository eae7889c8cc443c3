#include "unit/checkpoint/zip_builder.h"

#include <libdeflate.h>

#include <stdexcept>

namespace repro::test {
namespace {

void append_bytes(Bytes& out, ByteView bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

void append_local(Bytes& out, const ZipPart& part, std::uint16_t flags, std::uint32_t crc,
                  std::size_t packed) {
  const bool open = part.descriptor_bytes > 0;
  Bytes extra = part.local_extra;
  if (part.local_zip64) {
    append(extra, std::uint16_t{1});
    append(extra, std::uint16_t{16});
    append(extra, std::uint64_t{part.data.size()});
    append(extra, std::uint64_t{packed});
  }
  const auto size_field = [&](std::size_t size) {
    return part.local_zip64 ? ~std::uint32_t{0} : open ? 0 : static_cast<std::uint32_t>(size);
  };
  append(out, std::uint32_t{0x04034B50});
  append(out, std::uint16_t{20});
  append(out, flags);
  append(out, static_cast<std::uint16_t>(part.deflate ? 8 : 0));
  append(out, std::uint32_t{0x21});
  append(out, open ? 0 : crc);
  append(out, size_field(packed));
  append(out, size_field(part.data.size()));
  append(out, static_cast<std::uint16_t>(part.name.size()));
  append(out, static_cast<std::uint16_t>(extra.size()));
  append_bytes(out, as_byte_view(part.name));
  append_bytes(out, extra);
}

void append_descriptor(Bytes& out, const ZipPart& part, std::uint32_t crc, std::size_t packed) {
  const int length = part.descriptor_bytes;
  if (length == 16 || length == 24) append(out, std::uint32_t{0x08074B50});
  append(out, crc);
  for (const std::size_t size : {packed, part.data.size()}) {
    if (length >= 20) {
      append(out, std::uint64_t{size});
    } else {
      append(out, static_cast<std::uint32_t>(size));
    }
  }
}

void append_central(Bytes& out, const ZipPart& part, std::uint16_t flags, std::uint32_t crc,
                    std::size_t packed, std::size_t local_at) {
  append(out, std::uint32_t{0x02014B50});
  append(out, std::uint32_t{0x00140014});
  append(out, flags);
  append(out, static_cast<std::uint16_t>(part.deflate ? 8 : 0));
  append(out, std::uint32_t{0x21});
  append(out, crc);
  append(out, static_cast<std::uint32_t>(packed));
  append(out, static_cast<std::uint32_t>(part.data.size()));
  append(out, static_cast<std::uint16_t>(part.name.size()));
  append(out, static_cast<std::uint16_t>(part.central_extra.size()));
  append(out, std::uint16_t{0});                              // comment
  append(out, std::uint16_t{0});                              // disk
  for (int i = 0; i < 3; ++i) append(out, std::uint16_t{0});  // attributes
  append(out, static_cast<std::uint32_t>(local_at));
  append_bytes(out, as_byte_view(part.name));
  append_bytes(out, part.central_extra);
}

}  // namespace

BuiltZip build_zip(const std::vector<ZipPart>& parts, bool zip64, const std::string& comment) {
  BuiltZip zip;
  Bytes& out = zip.bytes;
  Bytes directory;
  for (const ZipPart& part : parts) {
    const auto flags = static_cast<std::uint16_t>(part.flags | (part.descriptor_bytes > 0 ? 8 : 0));
    const Bytes packed = part.deflate ? deflated(part.data) : part.data;
    const std::uint32_t crc = crc32_of(part.data);
    zip.local_at.push_back(out.size());
    append_local(out, part, flags, crc, packed.size());
    zip.data_at.push_back(out.size());
    append_bytes(out, packed);
    if (part.descriptor_bytes > 0) append_descriptor(out, part, crc, packed.size());
    zip.central_at.push_back(directory.size());
    append_central(directory, part, flags, crc, packed.size(), zip.local_at.back());
  }
  zip.directory_at = out.size();
  for (std::size_t& at : zip.central_at) at += zip.directory_at;
  append_bytes(out, directory);
  if (zip64) {
    zip.zip64_end_at = out.size();
    append(out, std::uint32_t{0x06064B50});
    append(out, std::uint64_t{44});
    append(out, std::uint32_t{0x002D002D});
    append(out, std::uint64_t{0});  // disks
    append(out, std::uint64_t{parts.size()});
    append(out, std::uint64_t{parts.size()});
    append(out, std::uint64_t{directory.size()});
    append(out, std::uint64_t{zip.directory_at});
    zip.locator_at = out.size();
    append(out, std::uint32_t{0x07064B50});
    append(out, std::uint32_t{0});
    append(out, std::uint64_t{zip.zip64_end_at});
    append(out, std::uint32_t{1});
  }
  zip.end_at = out.size();
  append(out, std::uint32_t{0x06054B50});
  append(out, std::uint32_t{0});  // disks
  append(out, static_cast<std::uint16_t>(parts.size()));
  append(out, static_cast<std::uint16_t>(parts.size()));
  append(out, static_cast<std::uint32_t>(directory.size()));
  append(out, static_cast<std::uint32_t>(zip.directory_at));
  append(out, static_cast<std::uint16_t>(comment.size()));
  append_bytes(out, as_byte_view(comment));
  return zip;
}

Bytes bytes_of_text(std::string_view text) {
  const ByteView view = as_byte_view(text);
  return {view.begin(), view.end()};
}

Bytes deflated(ByteView plain) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_deflate_compress_bound(compressor, plain.size()));
  out.resize(libdeflate_deflate_compress(compressor, plain.data(), plain.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  if (out.empty()) throw std::runtime_error("libdeflate_deflate_compress");
  return out;
}

std::uint32_t crc32_of(ByteView bytes) { return libdeflate_crc32(0, bytes.data(), bytes.size()); }

Bytes npy_file(const std::string& dictionary, ByteView data) {
  std::string header = dictionary;
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  Bytes out = bytes_of_text(std::string("\x93NUMPY\x01\x00", 8));
  append(out, static_cast<std::uint16_t>(header.size()));
  append_bytes(out, as_byte_view(header));
  append_bytes(out, data);
  return out;
}

std::string npy_dictionary(const std::string& descr, const std::string& shape, bool fortran) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

}  // namespace repro::test

#pragma once

#include <zlib.h>

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "repro/base/bytes.h"

namespace repro::test {

inline void append_big_endian(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::byte>(value >> shift & 0xFF));
  }
}

// An IDX file with the given header and `body` bytes 0, 1, 2, ... modulo `modulus`.
inline Bytes idx_file(std::uint32_t magic, std::initializer_list<std::uint32_t> sizes, std::size_t body,
                      unsigned modulus = 256) {
  Bytes out;
  append_big_endian(out, magic);
  for (const std::uint32_t size : sizes) append_big_endian(out, size);
  for (std::size_t i = 0; i < body; ++i) out.push_back(static_cast<std::byte>(i % modulus));
  return out;
}

inline Bytes gzipped(ByteView plain) {
  Bytes out(plain.size() + 1024);
  z_stream stream = {};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate");
  return out;
}

}  // namespace repro::test

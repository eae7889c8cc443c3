#include "repro/report/png.h"

#include <zlib.h>

#include "repro/base/error.h"

namespace repro {
namespace {

void append_big_endian(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::byte>((value >> shift) & 0xFFU));
  }
}

void append_text(Bytes& out, std::string_view text) {
  const ByteView bytes = as_byte_view(text);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// Length, type, data, and the CRC of type and data.
void append_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  append_big_endian(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  append_text(out, type);
  out.insert(out.end(), data.begin(), data.end());
  const auto* covered = reinterpret_cast<const Bytef*>(out.data() + begin);
  const uLong crc = crc32(0, covered, static_cast<uInt>(out.size() - begin));
  append_big_endian(out, static_cast<std::uint32_t>(crc));
}

Bytes deflated(const Bytes& raw) {
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  Bytes out(size);
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
                static_cast<uLong>(raw.size()), Z_BEST_COMPRESSION);
  if (status != Z_OK) throw Error(ErrorKind::unavailable, "zlib could not compress an image");
  out.resize(size);
  return out;
}

}  // namespace

Bytes encode_png(std::span<const std::uint8_t> pixels, std::uint32_t rows, std::uint32_t columns) {
  if (rows < 1 || rows > 65535 || columns < 1 || columns > 65535 ||
      pixels.size() != std::size_t{rows} * columns) {
    throw Error(ErrorKind::bug, "an image whose pixels do not fit its size");
  }
  Bytes raw;
  raw.reserve((std::size_t{columns} + 1) * rows);
  for (std::uint32_t r = 0; r < rows; ++r) {
    raw.push_back(std::byte{0});  // filter type "none"
    const ByteView row = std::as_bytes(pixels.subspan(std::size_t{r} * columns, columns));
    raw.insert(raw.end(), row.begin(), row.end());
  }
  Bytes header;
  append_big_endian(header, columns);
  append_big_endian(header, rows);
  for (const unsigned value : {8U, 0U, 0U, 0U, 0U}) {  // depth, grey, deflate, filters, no interlace
    header.push_back(static_cast<std::byte>(value));
  }
  Bytes out;
  append_text(out, "\x89PNG\r\n\x1a\n");
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflated(raw));
  append_chunk(out, "IEND", {});
  return out;
}

std::string base64(ByteView bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = (word << 8) | (k < count ? static_cast<std::uint32_t>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? digits[(word >> (18 - 6 * k)) & 63U] : '=';
    }
  }
  return out;
}

}  // namespace repro

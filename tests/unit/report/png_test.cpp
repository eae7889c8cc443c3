#include "repro/report/png.h"

#include <zlib.h>

#include <catch2/catch_test_macros.hpp>

#include "repro/base/error.h"

namespace repro {
namespace {

std::uint32_t big_endian(ByteView bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<std::uint32_t>(bytes[at + i]);
  return value;
}

// Reads a PNG of our own kind by its chunks; checks signature, lengths, CRCs and order.
struct Decoded {
  std::uint32_t rows = 0, columns = 0;
  std::vector<std::uint8_t> pixels;
};
Decoded decode(ByteView png) {
  REQUIRE(as_text(png.first(8)) == "\x89PNG\r\n\x1a\n");
  Decoded out;
  std::string types;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t length = big_endian(png, at);
    const ByteView covered = png.subspan(at + 4, 4 + length);
    const auto type = std::string(as_text(covered.first(4)));
    const ByteView data = covered.subspan(4);
    REQUIRE(big_endian(png, at + 8 + length) ==
            crc32(0, reinterpret_cast<const Bytef*>(covered.data()), static_cast<uInt>(covered.size())));
    types += type + " ";
    if (type == "IHDR") {
      out.columns = big_endian(data, 0);
      out.rows = big_endian(data, 4);
      REQUIRE(to_hex(data.subspan(8)) == "0800000000");
    }
    if (type == "IDAT") {
      std::vector<std::uint8_t> raw((out.columns + 1) * out.rows);
      uLongf size = raw.size();
      REQUIRE(uncompress(raw.data(), &size, reinterpret_cast<const Bytef*>(data.data()), data.size()) ==
              Z_OK);
      REQUIRE(size == raw.size());
      for (std::size_t i = 0; i < raw.size(); ++i) {
        if (i % (out.columns + 1) == 0) {
          REQUIRE(raw[i] == 0);
        } else {
          out.pixels.push_back(raw[i]);
        }
      }
    }
    at += 12 + length;
  }
  REQUIRE(types == "IHDR IDAT IEND ");
  return out;
}

TEST_CASE("a PNG holds the pixels it was given") {
  std::vector<std::uint8_t> pixels(7 * 5);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 7);
  const Bytes png = encode_png(pixels, 5, 7);
  const Decoded decoded = decode(png);
  CHECK(decoded.rows == 5);
  CHECK(decoded.columns == 7);
  CHECK(decoded.pixels == pixels);
  CHECK(encode_png(pixels, 5, 7) == png);
  ++pixels[3];
  CHECK(encode_png(pixels, 5, 7) != png);
  CHECK_THROWS_AS(encode_png(pixels, 5, 8), Error);
  CHECK_THROWS_AS(encode_png({}, 0, 0), Error);
}

TEST_CASE("base64 by the vectors of RFC 4648") {
  const auto encoded = [](std::string_view text) { return base64(as_byte_view(text)); };
  CHECK(encoded("").empty());
  CHECK(encoded("f") == "Zg==");
  CHECK(encoded("fo") == "Zm8=");
  CHECK(encoded("foo") == "Zm9v");
  CHECK(encoded("foobar") == "Zm9vYmFy");
  CHECK(encoded("\xff\xfe\xfd") == "//79");
}

}  // namespace
}  // namespace repro

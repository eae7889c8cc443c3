#include "repro/base/inflate_stream.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {

struct InflateStream::State {
  z_stream zlib = {};
};

InflateStream::InflateStream(ByteView packed, Format format, std::string what, std::string hint)
    : state_(std::make_unique<State>()),
      rest_(packed),
      noun_(format == Format::gzip ? "the gzip data is " : "the deflated data is "),
      what_(std::move(what)),
      hint_(std::move(hint)) {
  // 16: gzip only; negative: no header at all.
  if (inflateInit2(&state_->zlib, format == Format::gzip ? 15 + 16 : -15) != Z_OK) {
    throw Error(ErrorKind::unavailable, "zlib cannot be started: out of memory");
  }
}

InflateStream::~InflateStream() { inflateEnd(&state_->zlib); }

std::size_t InflateStream::read(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size() && !ended_) done += step(out.subspan(done));
  return done;
}

std::size_t InflateStream::step(std::span<std::byte> out) {
  constexpr std::size_t limit = std::numeric_limits<uInt>::max();
  z_stream& zlib = state_->zlib;
  const auto available_in = static_cast<uInt>(std::min(rest_.size(), limit));
  const auto available_out = static_cast<uInt>(std::min(out.size(), limit));
  // zlib's interface is not const-correct; it does not write to its input.
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(rest_.data()));
  zlib.avail_in = available_in;
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = available_out;
  const int status = inflate(&zlib, Z_NO_FLUSH);
  rest_ = rest_.subspan(available_in - zlib.avail_in);
  if (status != Z_OK && status != Z_STREAM_END) fail(status);
  ended_ = status == Z_STREAM_END;
  return available_out - zlib.avail_out;
}

void InflateStream::next_member() {
  inflateReset(&state_->zlib);
  ended_ = false;
}

void InflateStream::fail(int status) const {
  if (status == Z_MEM_ERROR) throw Error(ErrorKind::unavailable, what_ + ": zlib is out of memory");
  std::string reason = "damaged: no reason given";
  if (rest_.empty() && status == Z_BUF_ERROR) {
    reason = "cut off";
  } else if (state_->zlib.msg != nullptr) {
    const std::string_view said = state_->zlib.msg;
    reason = "damaged: " + (said == "incorrect data check"     ? "wrong CRC-32"
                            : said == "incorrect length check" ? "wrong length"
                                                               : std::string(said));
  }
  throw Error(ErrorKind::input, what_ + ": " + noun_ + reason, hint_);
}

}  // namespace repro

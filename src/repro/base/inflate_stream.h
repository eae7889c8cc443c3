#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "repro/base/bytes.h"

namespace repro {

// Deflate cannot make data smaller than this factor (https://zlib.net/zlib_tech.html).
constexpr std::uint64_t largest_deflate_ratio = 1032;

// zlib's inflate over a buffer, with every return value looked at: one stream of deflated data, raw
// (RFC 1951) or as a gzip member (RFC 1952). Memory does not depend on the data. Not for several threads
// at once.
class InflateStream {
 public:
  enum class Format { raw, gzip };

  // The bytes must outlive the stream. Errors begin with `what` (already displayable) and ": ", and end in
  // `hint`.
  InflateStream(ByteView packed, Format format, std::string what, std::string hint);
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  ~InflateStream();

  // Fills `out` from the front and returns how many bytes there were: fewer only at the end of the stream.
  // Error{input} if the data is damaged or cut off.
  std::size_t read(std::span<std::byte> out);

  bool ended() const { return ended_; }
  ByteView rest() const { return rest_; }  // what has not been read of the packed bytes
  void next_member();                      // after the end: another stream begins at rest()

 private:
  struct State;
  std::size_t step(std::span<std::byte> out);
  [[noreturn]] void fail(int status) const;

  std::unique_ptr<State> state_;
  ByteView rest_;
  bool ended_ = false;
  std::string noun_, what_, hint_;
};

}  // namespace repro

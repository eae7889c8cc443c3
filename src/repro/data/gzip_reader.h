#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "repro/base/bytes.h"
#include "repro/base/inflate_stream.h"

namespace repro {

// Reads bytes that are plain, or compressed with gzip (RFC 1952, one member or several), from front
// to back. Which of the two is decided by gzip's magic bytes. Memory does not depend on what a
// header says. Not for several threads at once.
class GzipReader {
 public:
  // `file` must outlive the reader; `name` (already displayable) stands in messages.
  GzipReader(ByteView file, std::string name);
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Fills `out` from the front and returns how many bytes there were: fewer only at the end. At the
  // end of a gzip file everything has been checked: lengths, CRC-32, and that nothing follows.
  // Error{input} if the compressed data is damaged, cut off, or followed by something else.
  std::size_t read(std::span<std::byte> out);

  // Reads to the end and returns how many bytes were left.
  std::uint64_t skip_rest();

  bool compressed() const { return inflater_.has_value(); }
  // What the file can hold at most: its size, or 1032 times its size if compressed (deflate's
  // limit).
  std::uint64_t capacity() const;
  const std::string& name() const { return name_; }

 private:
  std::size_t read_members(std::span<std::byte> out);

  ByteView rest_;  // plain: what has not been read
  std::uint64_t file_size_;
  std::string name_;
  std::optional<InflateStream> inflater_;
};

}  // namespace repro

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "repro/base/bytes.h"
#include "repro/pickle/opcode.h"

namespace repro {

// The bytes of a pickle from front to back: opcodes and their operands, each length checked against what
// is left. Every Error{input} names the pickle, the byte and the opcode it is about.
class PickleInput {
 public:
  PickleInput(ByteView bytes, const std::string& what) : text_(as_text(bytes)), what_(what) {}

  Opcode next_opcode();
  // A little-endian number of 1 to 8 bytes.
  std::uint64_t number(std::size_t size_bytes);
  std::int64_t signed_number(std::size_t size_bytes);
  double big_endian_double();
  std::string_view take(std::uint64_t length);    // the next bytes
  std::string_view utf8(std::uint64_t length);    // the same, checked
  std::string_view line();                        // up to a line feed, which is dropped
  void check_length(std::uint64_t length) const;  // that many bytes must be left
  std::uint64_t left() const { return text_.size() - at_; }

  [[noreturn]] void fail(const std::string& reason, std::string hint = {}) const;

 private:
  std::string_view text_;
  std::string what_;
  std::size_t at_ = 0;
  std::size_t opcode_at_ = 0;
  std::uint8_t opcode_ = 0;
};

}  // namespace repro

#include "repro/pickle/input.h"

#include <bit>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {

void PickleInput::fail(const std::string& reason, std::string hint) const {
  throw Error(
      ErrorKind::input,
      what_ + ": byte " + thousands(std::uint64_t{opcode_at_}) + ", " + opcode_text(opcode_) + ": " + reason,
      std::move(hint));
}

Opcode PickleInput::next_opcode() {
  if (left() == 0) {
    throw Error(
        ErrorKind::input,
        what_ + ": the pickle ends after " + thousands(std::uint64_t{text_.size()}) + " bytes without STOP",
        "is the file complete?");
  }
  opcode_at_ = at_;
  opcode_ = static_cast<std::uint8_t>(text_[at_++]);
  return static_cast<Opcode>(opcode_);
}

void PickleInput::check_length(std::uint64_t length) const {
  if (length > left()) {
    fail("asks for " + thousands(length) + " bytes, " + thousands(left()) + " are left",
         "is the file complete?");
  }
}

std::string_view PickleInput::take(std::uint64_t length) {
  check_length(length);
  const std::string_view taken = text_.substr(at_, static_cast<std::size_t>(length));
  at_ += taken.size();
  return taken;
}

std::string_view PickleInput::utf8(std::uint64_t length) {
  const std::string_view text = take(length);
  if (!is_utf8(text)) fail("a text that is not valid UTF-8 found, allowed is UTF-8 only");
  return text;
}

std::string_view PickleInput::line() {
  const std::size_t end = text_.find('\n', at_);
  if (end == std::string_view::npos) fail("a line without an end found", "is the file complete?");
  const std::string_view line = text_.substr(at_, end - at_);
  at_ = end + 1;
  return line;
}

std::uint64_t PickleInput::number(std::size_t size_bytes) {
  std::uint64_t value = 0;
  const std::string_view bytes = take(size_bytes);
  for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::int64_t PickleInput::signed_number(std::size_t size_bytes) {
  const auto unused_bits = static_cast<int>(64 - 8 * size_bytes);
  return static_cast<std::int64_t>(number(size_bytes) << unused_bits) >> unused_bits;
}

double PickleInput::big_endian_double() { return std::bit_cast<double>(__builtin_bswap64(number(8))); }

}  // namespace repro

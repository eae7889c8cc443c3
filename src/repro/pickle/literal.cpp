#include "repro/pickle/literal.h"

#include <algorithm>
#include <limits>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/pickle/integer.h"

namespace repro {
namespace {

constexpr std::uint64_t max_integer_bytes = 256;
constexpr std::size_t max_integer_digits = max_integer_bytes * 5 / 2;

std::string found_line(std::string_view line) { return "'" + displayable(line.substr(0, 40)) + "' found"; }

PickleNode decimal(std::string_view text, const PickleInput& input, PickleTree& tree) {
  if (const auto value = parse_integer(text)) return tree.add_integer(*value);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || digits.front() == '0' || digits.size() > max_integer_digits ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    input.fail(found_line(text) + ", allowed is an integer");
  }
  return tree.add_owned(PickleKind::big_integer, text);
}

PickleNode long_integer(std::string_view little_endian, const PickleInput& input, PickleTree& tree) {
  if (little_endian.size() > max_integer_bytes) {
    input.fail("an integer of " + thousands(std::uint64_t{little_endian.size()}) +
               " bytes found, allowed are " + thousands(max_integer_bytes));
  }
  return decimal(decimal_of(little_endian), input, tree);
}

PickleNode integer_line(std::string_view line, const PickleInput& input, PickleTree& tree) {
  if (line == "00" || line == "01") return tree.add_boolean(line == "01");
  return decimal(line, input, tree);
}

PickleNode float_line(std::string_view line, const PickleInput& input, PickleTree& tree) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (line == "inf") return tree.add_floating(infinity);
  if (line == "-inf") return tree.add_floating(-infinity);
  if (line == "nan") return tree.add_floating(std::numeric_limits<double>::quiet_NaN());
  const auto value = parse_double(line);
  if (!value) input.fail(found_line(line) + ", allowed is a number");
  return tree.add_floating(*value);
}

// Text of protocol 0 that stands for itself.
PickleNode plain_line(std::string_view line, const PickleInput& input, PickleTree& tree) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '\\'; };
  if (!std::all_of(line.begin(), line.end(), is_plain)) {
    input.fail("an escaped text of protocol 0 found, which is not supported",
               "write the file again with protocol 2 or higher");
  }
  return tree.add_view(PickleKind::text, line);
}

PickleNode quoted_line(std::string_view line, const PickleInput& input, PickleTree& tree) {
  if (line.size() < 2 || line.front() != line.back() || (line.front() != '\'' && line.front() != '"')) {
    input.fail("a text without quotes found");
  }
  return plain_line(line.substr(1, line.size() - 2), input, tree);
}

}  // namespace

PickleNode read_literal(Opcode opcode, PickleInput& input, PickleTree& tree) {
  const auto text = [&](std::size_t size_bytes) {
    return tree.add_view(PickleKind::text, input.utf8(input.number(size_bytes)));
  };
  const auto bytes = [&](PickleKind kind, std::size_t size_bytes) {
    return tree.add_view(kind, input.take(input.number(size_bytes)));
  };
  const auto unsigned_integer = [&](std::size_t size_bytes) {
    return tree.add_integer(static_cast<std::int64_t>(input.number(size_bytes)));
  };
  switch (opcode) {
    case Opcode::NONE: return tree.add_none();
    case Opcode::NEWTRUE: return tree.add_boolean(true);
    case Opcode::NEWFALSE: return tree.add_boolean(false);
    case Opcode::BININT1: return unsigned_integer(1);
    case Opcode::BININT2: return unsigned_integer(2);
    case Opcode::BININT: return tree.add_integer(input.signed_number(4));
    case Opcode::LONG1: return long_integer(input.take(input.number(1)), input, tree);
    case Opcode::LONG4: return long_integer(input.take(input.number(4)), input, tree);
    case Opcode::BINFLOAT: return tree.add_floating(input.big_endian_double());
    case Opcode::FLOAT: return float_line(input.line(), input, tree);
    case Opcode::INT: return integer_line(input.line(), input, tree);
    case Opcode::LONG: {
      const std::string_view line = input.line();
      return decimal(line.substr(0, line.size() - (line.ends_with('L') ? 1 : 0)), input, tree);
    }
    case Opcode::SHORT_BINUNICODE:
    case Opcode::SHORT_BINSTRING: return text(1);
    case Opcode::BINUNICODE:
    case Opcode::BINSTRING: return text(4);
    case Opcode::BINUNICODE8: return text(8);
    case Opcode::SHORT_BINBYTES: return bytes(PickleKind::bytes, 1);
    case Opcode::BINBYTES: return bytes(PickleKind::bytes, 4);
    case Opcode::BINBYTES8: return bytes(PickleKind::bytes, 8);
    case Opcode::BYTEARRAY8: return bytes(PickleKind::byte_array, 8);
    case Opcode::UNICODE: return plain_line(input.line(), input, tree);
    case Opcode::STRING: return quoted_line(input.line(), input, tree);
    default: return no_node;
  }
}

}  // namespace repro

#include "repro/checkpoint/pytorch/leaf.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "repro/base/number.h"
#include "repro/base/sha256.h"
#include "repro/base/text.h"

namespace repro {
namespace {

constexpr std::size_t longest_value = 256;  // bytes; longer ones are cut
constexpr std::size_t start_of_long = 128;  // what is kept of them
constexpr std::size_t longest_repr = 65536;
constexpr int deepest_repr = 8;

// The shortest digits that read back to the same bits, laid out as Python's repr does.
template <class T>
std::string finite_text(T value) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = scientific.find('e');
  const bool negative = scientific.front() == '-';
  std::string digits;
  for (const char c : scientific.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const std::string_view exponent_text = scientific.substr(e + 1);
  const auto exponent =
      static_cast<int>(parse_integer(exponent_text.substr(exponent_text.front() == '+' ? 1 : 0)).value_or(0));
  std::string out = negative ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    out += digits.substr(0, 1);
    if (digits.size() > 1) out += "." + digits.substr(1);
    const std::string power = std::to_string(std::abs(exponent));
    return out + (exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
  }
  if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return out + digits + std::string(whole - digits.size(), '0') + ".0";
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

template <class Word, class T>
std::string float_text(T value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (!std::isnan(value)) return finite_text(value);
  const auto bits = std::bit_cast<Word>(value);
  const bool usual = bits == std::bit_cast<Word>(std::numeric_limits<T>::quiet_NaN());
  return usual ? "nan" : "nan (0x" + hex_of(bits) + ")";
}

std::string escaped(std::string_view text, bool ascii_only) {
  const char quote =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F || (ascii_only && byte >= 0x80)) {
      out += "\\x" + hex_of(byte);
    } else {
      out += c;
    }
  }
  return out + quote;
}

// Appends the text of a node; false if it is not a simple one.
bool append_repr(const PickleTree& tree, PickleNode node, int depth, std::string& out) {
  if (out.size() > longest_repr) return false;
  switch (tree.kind(node)) {
    case PickleKind::text: out += python_string(tree.text(node)); return true;
    case PickleKind::tuple: break;
    default: {
      const auto leaf = plain_leaf(tree, node);
      if (leaf) out += leaf->value;
      return leaf.has_value();
    }
  }
  if (depth == deepest_repr) return false;
  const auto elements = tree.elements(node);
  out += '(';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += ", ";
    if (!append_repr(tree, elements[i], depth + 1, out)) return false;
  }
  out += elements.size() == 1 ? ",)" : ")";
  return true;
}

}  // namespace

std::string python_text(double value) { return float_text<std::uint64_t>(value); }
std::string python_text(float value) { return float_text<std::uint32_t>(value); }
std::string python_text(std::string_view real, std::string_view imaginary) {
  return "(" + std::string(real) + (imaginary.starts_with('-') ? "" : "+") + std::string(imaginary) + "j)";
}
std::string python_bytes(std::string_view bytes) { return "b" + escaped(bytes, true); }
std::string python_string(std::string_view text) { return escaped(text, false); }

std::optional<std::string> python_repr(const PickleTree& tree, PickleNode node) {
  std::string out;
  if (!append_repr(tree, node, 0, out)) return std::nullopt;
  return out;
}

Leaf make_leaf(std::string type, std::string value) {
  if (value.size() > longest_value) {
    std::size_t end = start_of_long;
    // Not within a character of UTF-8.
    while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80) --end;
    value = value.substr(0, end) + "... (" + thousands(std::uint64_t{value.size()}) + " bytes, SHA-256 " +
            sha256_hex(as_byte_view(value)) + ")";
  }
  return {std::move(type), std::move(value)};
}

std::optional<Leaf> plain_leaf(const PickleTree& tree, PickleNode node) {
  const auto leaf = [&](std::string value) {
    return make_leaf(std::string(name_of(tree.kind(node))), std::move(value));
  };
  switch (tree.kind(node)) {
    case PickleKind::none: return leaf("None");
    case PickleKind::boolean: return leaf(tree.boolean(node) ? "True" : "False");
    case PickleKind::integer: return leaf(std::to_string(tree.integer(node)));
    case PickleKind::floating: return leaf(python_text(tree.floating(node)));
    case PickleKind::text:
    case PickleKind::big_integer: return leaf(std::string(tree.text(node)));
    case PickleKind::bytes: return leaf(python_bytes(tree.text(node)));
    case PickleKind::byte_array: return leaf("bytearray(" + python_bytes(tree.text(node)) + ")");
    default: return std::nullopt;
  }
}

}  // namespace repro

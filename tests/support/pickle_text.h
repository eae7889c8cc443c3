#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Pickles of protocol 2, written piece by piece: each function gives the opcodes that push one value.
namespace repro::test::pickle {

using Values = std::vector<std::string>;

inline const std::string none = "N", yes = "\x88", no = "\x89", no_arguments = ")";

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i, value >>= 8) out += static_cast<char>(value & 0xFFU);
  return out;
}
inline std::string joined(const Values& values) {
  std::string out;
  for (const std::string& value : values) out += value;
  return out;
}
inline std::string text(std::string_view value) {
  return "X" + little_endian(value.size(), 4) + std::string(value);
}
inline std::string integer(std::int64_t value) {
  return "\x8A\x08" + little_endian(static_cast<std::uint64_t>(value), 8);
}
inline std::string floating(double value) {
  return "G" + little_endian(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)), 8);
}
inline std::string tuple(const Values& values) { return "(" + joined(values) + "t"; }
inline std::string list(const Values& values) { return "](" + joined(values) + "e"; }
inline std::string integers(const std::vector<std::int64_t>& values) {
  Values texts;
  for (const std::int64_t value : values) texts.push_back(integer(value));
  return tuple(texts);
}
using Pairs = std::vector<std::pair<std::string, std::string>>;
inline std::string set_items(const Pairs& pairs) {
  std::string out = "(";
  for (const auto& [key, value] : pairs) out += key + value;
  return out + "u";
}
inline std::string dict(const Pairs& pairs) { return "}" + set_items(pairs); }
inline std::string global(std::string_view module, std::string_view name) {
  return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}
inline std::string call(const std::string& callable, const Values& arguments) {
  return callable + tuple(arguments) + "R";
}
inline std::string whole(const std::string& value) { return "\x80\x02" + value + "."; }

}  // namespace repro::test::pickle

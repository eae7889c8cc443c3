#include "repro/checkpoint/npy_header.h"

#include <algorithm>
#include <array>
#include <limits>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/checkpoint/npy_literal.h"
#include "repro/checkpoint/refuse.h"

namespace repro {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t largest_header = std::uint64_t{1} << 20;

struct Row {
  std::string_view name;  // without byte order
  DType dtype;
};
constexpr std::array<Row, 14> dtypes = {{{"b1", DType::boolean},
                                         {"i1", DType::int8},
                                         {"i2", DType::int16},
                                         {"i4", DType::int32},
                                         {"i8", DType::int64},
                                         {"u1", DType::uint8},
                                         {"u2", DType::uint16},
                                         {"u4", DType::uint32},
                                         {"u8", DType::uint64},
                                         {"f2", DType::float16},
                                         {"f4", DType::float32},
                                         {"f8", DType::float64},
                                         {"c8", DType::complex64},
                                         {"c16", DType::complex128}}};

// Kinds that are refused by name. `bytes` of an element per unit of the number behind the letter.
struct ForeignRow {
  char kind;
  std::string_view name;
  std::uint64_t bytes;
};
constexpr std::array<ForeignRow, 8> foreign = {
    {{'S', "byte strings", 1},
     {'a', "byte strings", 1},
     {'U', "text", 4},
     {'V', "raw bytes (NumPy saves bfloat16 and 8-bit floats so, too)", 1},
     {'M', "dates", 1},
     {'m', "time spans", 1},
     {'f', "long doubles", 1},
     {'c', "complex long doubles", 1}}};

// Fills in the element type. Returns the bytes of one element where they are known.
std::optional<std::uint64_t> read_dtype(const NpyLiteral& literal, NpyHeader& out) {
  const auto refuse_dtype = [&](std::string name, const std::string& reason) {
    out.foreign_dtype = std::move(name);
    out.reason = reason;
  };
  if (literal.structured) {
    refuse_dtype("structured", "elements with named fields are not compared");
    return std::nullopt;
  }
  std::string_view name = literal.descr;
  if (!name.empty() && std::string_view("<>=|").find(name[0]) != std::string_view::npos) {
    out.big_endian = name[0] == '>';
    name.remove_prefix(1);
  }
  for (const Row& row : dtypes) {
    if (row.name != name) continue;
    out.dtype = row.dtype;
    return size_of(row.dtype);
  }
  const std::string shown = displayable(std::string_view(literal.descr).substr(0, 60));
  if (name == "O") {
    refuse_dtype(shown, "Python objects are never loaded");
    return std::nullopt;
  }
  for (const ForeignRow& row : foreign) {
    if (name.empty() || name[0] != row.kind) continue;
    const std::string_view digits = name.substr(1, name.find('[') - 1);
    const auto number = parse_unsigned(digits);
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) break;
    refuse_dtype(shown, "element type " + shown + " (" + std::string(row.name) + ") is not compared");
    return *number * row.bytes;
  }
  refuse_dtype(shown, "element type " + shown + " is not known");
  return std::nullopt;
}

std::uint64_t checked_bytes(std::uint64_t count, std::uint64_t element, const Shape& shape,
                            const std::string& what) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, element, &bytes)) {
    refuse(what,
           "the shape [" + shape_text(shape, ",") + "] has more bytes than the 2^64 that can be counted");
  }
  return bytes;
}

// The bytes before the header's text, and the text's length. Read once: a mapped file may change.
struct Lengths {
  std::size_t prefix = 0;
  std::size_t text = 0;
};

Lengths read_lengths(ByteView beginning, const std::string& what) {
  if (beginning.size() < magic.size() || !as_text(beginning).starts_with(magic)) {
    refuse(what, "it does not begin with NumPy's magic bytes", "is this a .npy file?");
  }
  const auto cut = [&](std::size_t wanted) {
    refuse(what,
           "found " + thousands(std::uint64_t{beginning.size()}) + " bytes, a .npy file has more than the " +
               thousands(std::uint64_t{wanted}) + " before its header",
           "is the file complete?");
  };
  if (beginning.size() < 8) cut(8);
  const auto major = std::to_integer<unsigned>(beginning[6]), minor = std::to_integer<unsigned>(beginning[7]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(what, "version " + std::to_string(major) + "." + std::to_string(minor) +
                     " of the .npy format found, allowed are 1.0, 2.0 and 3.0");
  }
  const std::size_t prefix = major == 1 ? 10 : 12;
  if (beginning.size() < prefix) cut(prefix);
  const std::uint64_t text =
      major == 1 ? load<std::uint16_t>(beginning, 8) : load<std::uint32_t>(beginning, 8);
  if (text > largest_header) {
    refuse(what, "the header claims " + thousands(text) + " bytes, allowed are " + thousands(largest_header));
  }
  return {prefix, static_cast<std::size_t>(text)};
}

}  // namespace

std::uint64_t npy_header_bytes(ByteView beginning, const std::string& what) {
  const Lengths lengths = read_lengths(beginning, what);
  return lengths.prefix + lengths.text;
}

NpyHeader parse_npy_header(ByteView beginning, std::uint64_t file_bytes, const std::string& what) {
  const auto [prefix, length] = read_lengths(beginning, what);
  if (length > beginning.size() - prefix) {
    refuse(what,
           "the header claims " + thousands(std::uint64_t{length}) + " bytes, the file has " +
               thousands(std::uint64_t{beginning.size() - prefix}) + " after the first " +
               std::to_string(prefix),
           "is the file complete?");
  }
  NpyHeader header;
  header.data_at = prefix + length;
  NpyLiteral literal = parse_npy_literal(as_text(beginning.subspan(prefix, length)), what);
  header.fortran_order = literal.fortran_order;
  header.shape = std::move(literal.shape);
  const auto element = read_dtype(literal, header);
  const auto count = checked_element_count(header.shape);
  if (!count) {
    refuse(what, "the shape [" + shape_text(header.shape, ",") +
                     "] has more elements than the 2^62 that are allowed");
  }
  if (!element) return header;
  const std::uint64_t asked = checked_bytes(*count, *element, header.shape, what);
  const std::uint64_t found = file_bytes - header.data_at;
  if (asked != found) {
    refuse(what,
           "the shape [" + shape_text(header.shape, ",") + "] of " + displayable(literal.descr) + " takes " +
               thousands(asked) + " bytes, the file has " + thousands(found) + " after its header",
           asked > found ? "is the file complete?" : "");
  }
  return header;
}

}  // namespace repro

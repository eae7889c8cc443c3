#include <array>
#include <catch2/catch_test_macros.hpp>

#include "repro/checkpoint/checkpoint.h"
#include "unit/checkpoint/refusal.h"
#include "unit/checkpoint/zip_builder.h"

namespace {

using namespace repro;
using namespace repro::test;

const std::array<std::uint16_t, 6> numbers = {0, 1, 2, 3, 4, 5};

Bytes big_endian_numbers() {
  Bytes out;
  for (const std::uint16_t number : numbers) {
    out.push_back(static_cast<std::byte>(number >> 8));
    out.push_back(static_cast<std::byte>(number & 0xFF));
  }
  return out;
}

std::vector<std::uint16_t> values_of(const Item& item) {
  const Tensor tensor = materialise(item.tensor);
  const auto values = tensor.values<std::uint16_t>();
  return {values.begin(), values.end()};
}

TEST_CASE("C and Fortran order, little and big endian, give the logical values") {
  const ByteView little = std::as_bytes(std::span(numbers));
  const Bytes big = big_endian_numbers();
  const std::vector<std::uint16_t> rows = {0, 1, 2, 3, 4, 5}, columns = {0, 2, 4, 1, 3, 5};
  for (const char* order : {"<", "=", "|", ""}) {
    const Bytes file = npy_file(npy_dictionary(std::string(order) + "u2", "(2, 3)"), little);
    const Checkpoint c = parse_checkpoint(file, "x.npy");
    REQUIRE(c.items.size() == 1);
    CHECK(c.format == CheckpointFormat::npy);
    CHECK_FALSE(c.holds_leaves);
    CHECK(c.items[0].name == "array");
    CHECK(c.items[0].tensor.dtype == DType::uint16);
    CHECK(c.items[0].tensor.shape == Shape{2, 3});
    CHECK(values_of(c.items[0]) == rows);
    // Not copied.
    CHECK(c.items[0].tensor.direct.data() == file.data() + file.size() - little.size());
  }
  const Bytes fortran = npy_file(npy_dictionary("<u2", "(2, 3)", true), little);
  CHECK(values_of(parse_checkpoint(fortran, "x").items[0]) == columns);
  const Bytes swapped = npy_file(npy_dictionary(">u2", "(2, 3)", true), big);
  CHECK(values_of(parse_checkpoint(swapped, "x").items[0]) == columns);
}

TEST_CASE("every element type that we know is read") {
  const std::pair<const char*, DType> known[] = {
      {"|b1", DType::boolean},   {"|i1", DType::int8},       {"<i2", DType::int16},   {"<i4", DType::int32},
      {"<i8", DType::int64},     {"|u1", DType::uint8},      {"<u2", DType::uint16},  {"<u4", DType::uint32},
      {"<u8", DType::uint64},    {"<f2", DType::float16},    {"<f4", DType::float32}, {"<f8", DType::float64},
      {"<c8", DType::complex64}, {"<c16", DType::complex128}};
  for (const auto& [name, dtype] : known) {
    const Bytes file = npy_file(npy_dictionary(name, "(3,)"), Bytes(3 * size_of(dtype)));
    CHECK(parse_checkpoint(file, "x").items.at(0).tensor.dtype == dtype);
    const Bytes scalar = npy_file(npy_dictionary(name, "()"), Bytes(size_of(dtype)));
    CHECK(parse_checkpoint(scalar, "x").items.at(0).tensor.size() == 1);
    const Bytes empty = npy_file(npy_dictionary(name, "(3, 0, 2)", true), {});
    CHECK(parse_checkpoint(empty, "x").items.at(0).tensor.size() == 0);
  }
}

TEST_CASE("versions 2.0 and 3.0, other orders of keys and spellings are read") {
  for (const char version : {'\2', '\3'}) {
    const std::string header = "{\"shape\":(2L,),'fortran_order':False , \"descr\" : '|u1'}\n";
    Bytes file = bytes_of_text(std::string("\x93NUMPY") + version + '\0');
    append(file, static_cast<std::uint32_t>(header.size()));
    const Bytes rest = bytes_of_text(header + "ab");
    file.insert(file.end(), rest.begin(), rest.end());
    const Checkpoint c = parse_checkpoint(file, "x");
    CHECK(as_text(c.items.at(0).tensor.direct) == "ab");
  }
}

TEST_CASE("element types that cannot be read are items with a reason") {
  const auto item_of = [](const std::string& descr, std::size_t bytes) {
    const std::string quoted = descr.starts_with("[") ? descr : "'" + descr + "'";
    const Bytes file =
        npy_file("{'descr': " + quoted + ", 'fortran_order': False, 'shape': (2,), }", Bytes(bytes));
    Checkpoint c = parse_checkpoint(file, "x");
    CHECK(c.items.at(0).tensor.shape == Shape{2});
    CHECK(c.items[0].tensor.direct.empty());
    return c.items[0];
  };
  CHECK(item_of("|O", 77).not_compared_reason == "Python objects are never loaded");
  CHECK(item_of("|O", 77).foreign_dtype == "|O");
  const Item structured = item_of("[('a', '<f4'), ('b]', [('c', '<i8', (2, 2))])]", 5);
  CHECK(structured.foreign_dtype == "structured");
  CHECK(structured.not_compared_reason == "elements with named fields are not compared");
  CHECK(item_of("|S3", 6).not_compared_reason == "element type |S3 (byte strings) is not compared");
  CHECK(item_of("<U3", 24).not_compared_reason == "element type <U3 (text) is not compared");
  CHECK(item_of("<M8[ns]", 16).not_compared_reason == "element type <M8[ns] (dates) is not compared");
  CHECK(item_of("<m8[25s]", 16).not_compared_reason == "element type <m8[25s] (time spans) is not compared");
  check_contains(item_of("|V2", 4).not_compared_reason, "element type |V2 (raw bytes");
  CHECK(item_of("<f16", 32).not_compared_reason == "element type <f16 (long doubles) is not compared");
  check_contains(item_of("<c32", 64).not_compared_reason, "complex long doubles");
  CHECK(item_of("<q9", 1).not_compared_reason == "element type <q9 is not known");
  CHECK(item_of("\x1b[2J", 1).not_compared_reason == "element type \\x1b[2J is not known");
}

struct Case {
  std::string header;
  std::size_t data_bytes;
  const char* message;
};

TEST_CASE("every fault of a header has its own message") {
  const std::string big = "9223372036854775807";
  const Case cases[] = {
      {npy_dictionary("<f4", "(2,)"), 8, ""},
      {npy_dictionary("<f4", "(2,)"), 7,
       "the shape [2] of <f4 takes 8 bytes, the file has 7 after its header"},
      {npy_dictionary("<f4", "(2,)"), 9, "the shape [2] of <f4 takes 8 bytes, the file has 9"},
      {npy_dictionary("<U2", "(2,)"), 8, "the shape [2] of <U2 takes 16 bytes, the file has 8"},
      {npy_dictionary("<f4", "(2)"), 8, "allowed is ',' after the only size of the shape"},
      {npy_dictionary("<f4", "(,)"), 8, "has ',' at byte 51, allowed is a whole number from 0"},
      {npy_dictionary("<f4", "(-2,)"), 8, "has '-' at byte 51, allowed is a whole number from 0"},
      {npy_dictionary("<f4", "(02,)"), 8, "allowed is a whole number from 0"},
      {npy_dictionary("<f4", "(2.0,)"), 8, "has '.' at byte 52, allowed is ','"},
      {npy_dictionary("<f4", "[2]"), 8, "has '[' at byte 50, allowed is '('"},
      {npy_dictionary("<f4", "2"), 8, "has '2' at byte 50, allowed is '('"},
      {npy_dictionary("<f4", "(9223372036854775808,)"), 8, "allowed is a size up to 9223372036854775807"},
      {npy_dictionary("<f4", "(" + big + ",)"), 8, "more elements than the 2^62 that are allowed"},
      {npy_dictionary("<f4", "(4294967296, 4294967296)"), 0, "more elements than the 2^62 that are allowed"},
      {npy_dictionary("<f8", "(4611686018427387904,)"), 0, "more bytes than the 2^64 that can be counted"},
      {"{'descr': '<f4', 'fortran_order': False}", 0, "the header's key 'shape' is missing"},
      {"{'shape': (), 'fortran_order': False}", 0, "the header's key 'descr' is missing"},
      {"{'shape': (), 'descr': '<f4'}", 4, "the header's key 'fortran_order' is missing"},
      {"{}", 0, "the header's key 'descr' is missing"},
      {"{'descr': '<f4', 'descr': '<f4'}", 0, "the header's key 'descr' occurs twice"},
      {"{'descr': '<f4', 'x\\y': 1}", 0, "has the key 'x\\\\y', allowed are descr, fortran_order and shape"},
      {"{'descr': '<f4', 'fortran_order': 0}", 0, "has '0' at byte 34, allowed is True or False"},
      {"{'descr': 4}", 0, "has '4' at byte 10, allowed is a string"},
      {"{'descr' '<f4'}", 0, "has ''' at byte 9, allowed is ':'"},
      {"{'descr': '<f4' 'shape': ()}", 0, "has ''' at byte 16, allowed is ','"},
      {"{'descr", 0, "has its end at byte 54, allowed is the end of a string"},
      {"{'descr': [", 0, "allowed is ']'"},
      {"", 0, "allowed is '{'"},
      {"[]", 0, "has '[' at byte 0, allowed is '{'"},
      {"import os", 0, "has 'i' at byte 0, allowed is '{'"},
      {npy_dictionary("<f4", "(2,)") + "x", 8, "has 'x' at byte 57, allowed is a newline, and nothing more"},
      {npy_dictionary("<f4", "(2,)") + "\n", 8,
       "has '\\n' at byte 57, allowed is a newline, and nothing more"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.header);
    const Bytes file = npy_file(c.header, Bytes(c.data_bytes));
    const std::string message = refusal([&] { parse_checkpoint(file, "x.npy"); });
    CHECK(message.empty() == (*c.message == 0));
    check_contains(message, c.message);
    if (!message.empty()) CHECK(message.starts_with("x.npy: "));
  }
  std::string sizes = "(";
  for (int i = 0; i < 65; ++i) sizes += "1,";
  check_contains(refusal([&] { parse_checkpoint(npy_file(npy_dictionary("<f4", sizes + ")"), {}), "x"); }),
                 "the shape has more than the 64 dimensions that are allowed");
  const std::string nested(60000, '[');
  check_contains(refusal([&] { parse_checkpoint(npy_file("{'descr': " + nested, {}), "x"); }),
                 "allowed is ']'");
}

TEST_CASE("lengths and versions are checked") {
  Bytes file = npy_file(npy_dictionary("<f4", "(2,)"), Bytes(8));
  const auto refusal_of = [&](const Bytes& bytes) { return refusal([&] { parse_checkpoint(bytes, "x"); }); };
  Bytes changed = file;
  patch(changed, 6, std::uint8_t{4});
  check_contains(refusal_of(changed), "version 4.0 of the .npy format found, allowed are 1.0, 2.0 and 3.0");
  changed = file;
  patch(changed, 7, std::uint8_t{1});
  check_contains(refusal_of(changed), "version 1.1 of the .npy format found");
  changed = file;
  patch(changed, 8, std::uint16_t{60000});
  check_contains(refusal_of(changed), "the header claims 60,000 bytes, the file has 126 after the first 10");
  changed = file;
  patch(changed, 6, std::uint8_t{2});
  patch(changed, 8, ~std::uint32_t{0});
  check_contains(refusal_of(changed), "the header claims 4,294,967,295 bytes, allowed are 1,048,576");
  for (std::size_t size = 0; size < file.size(); ++size) {
    CHECK_FALSE(refusal_of(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size))).empty());
  }
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (int mask = 1; mask < 256; ++mask) {
      changed = file;
      changed[i] ^= static_cast<std::byte>(mask);
      refusal_of(changed);
    }
  }
}

TEST_CASE("a key is refused where there is no nesting") {
  const Bytes file = npy_file(npy_dictionary("<f4", "(2,)"), Bytes(8));
  OpenOptions options;
  options.key = "model";
  check_contains(refusal([&] { parse_checkpoint(file, "x", options); }, ErrorKind::request),
                 "the key 'model' is asked for, but an .npy file has no nesting");
}

}  // namespace

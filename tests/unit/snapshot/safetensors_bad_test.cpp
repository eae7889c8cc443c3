#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "repro/base/error.h"
#include "repro/base/files.h"
#include "repro/snapshot/safetensors.h"

namespace {

using namespace repro;

Bytes file_with(const std::string& header, std::size_t data_bytes) {
  Bytes bytes;
  append(bytes, std::uint64_t{header.size()});
  for (const std::byte b : as_byte_view(header)) bytes.push_back(b);
  bytes.resize(bytes.size() + data_bytes);
  return bytes;
}

// The message of the Error{input} that `bytes` give; "" if they are read.
std::string refusal(const Bytes& bytes) {
  try {
    parse_safetensors(bytes, "x.safetensors");
  } catch (const Error& error) {
    REQUIRE(error.kind() == ErrorKind::input);
    REQUIRE(error.message().starts_with("x.safetensors: "));
    REQUIRE(error.message().find_first_of("\n\r\x1b") == std::string::npos);
    return error.message();
  }
  return "";
}

struct Case {
  std::string header;
  std::size_t data_bytes;
  const char* message;  // a part of it
};

std::string one(const std::string& entry) { return R"({"w":)" + entry + "}"; }

TEST_CASE("every fault of a safetensors header has its own message") {
  const std::string good = R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const Case cases[] = {
      {one(good), 8, ""},
      {one(good) + "   ", 8, ""},
      {"{}", 0, ""},
      {"", 0, "does not begin with '{'"},
      {" {}", 0, "does not begin with '{'"},
      {"[]", 0, "does not begin with '{'"},
      {R"({"w":{)", 0, "not valid JSON at byte"},
      {one(good) + "x", 8, "not valid JSON at byte"},
      {"{\"\xFF\":1}", 0, "not valid JSON at byte"},
      {R"({"w":1})", 0, "tensor 'w': found 1, allowed is an object"},
      {R"({"w":null})", 0, "tensor 'w': found null"},
      {R"({"w":[[[[[[1]]]]]]})", 0, "tensor 'w': found an array"},
      {one(R"({"dtype":{"a":1},"shape":[2],"data_offsets":[0,8]})"), 8, "found a nested object"},
      {one(R"({"dtype":"F32","shape":[[2]],"data_offsets":[0,8]})"), 8, "tensor 'w', shape: found an array"},
      {one(R"({"dtype":32,"shape":[2],"data_offsets":[0,8]})"), 8,
       "tensor 'w', dtype: found 32, allowed is a string"},
      {one(R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})"), 8, "allowed is an array of sizes"},
      {one(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"), 8, "shape: found -2, allowed"},
      {one(R"({"dtype":"F32","shape":[2.0],"data_offsets":[0,8]})"), 8, "shape: found 2.0, allowed"},
      {one(R"({"dtype":"F32","shape":["2"],"data_offsets":[0,8]})"), 8, "found the string '2'"},
      {one(R"({"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8]})"), 8,
       "shape: found 9223372036854775808"},
      {one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551616]})"), 8,
       "data_offsets: found 18446744073709551616"},
      {one(R"({"dtype":"F32","shape":[2],"data_offsets":[0]})"), 8, "found 1 numbers"},
      {one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8,9]})"), 8, "data_offsets: found 9"},
      {one(R"({"dtype":"F32","shape":[2]})"), 8, "the key 'data_offsets' is missing"},
      {one(R"({"shape":[2],"data_offsets":[0,8]})"), 8, "the key 'dtype' is missing"},
      {one(R"({"dtype":"F32","data_offsets":[0,8]})"), 8, "the key 'shape' is missing"},
      {one(R"({"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]})"), 8,
       "the key 'dtype' occurs twice"},
      {one(R"({"dtype":"F32","strides":[1],"shape":[2],"data_offsets":[0,8]})"), 8,
       "found the key 'strides', allowed is dtype, shape or data_offsets"},
      {R"({"w":)" + good + R"(,"w":)" + good + "}", 8, "the name 'w' occurs twice"},
      {R"({"__metadata__":{"a":"1","a":"2"}})", 0, "the key 'a' occurs twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", 0, "the name '__metadata__' occurs twice"},
      {R"({"__metadata__":{"a":1}})", 0, "__metadata__, 'a': found 1, allowed is a string"},
      {one(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})"), 8,
       "tensor 'w': data_offsets run backwards, from 8 to 0"},
      {one(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"), 8,
       "shape [3] of F32 takes 12 bytes, data_offsets give 8"},
      {one(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})"), 0,
       "more elements than the 2^62"},
      {one(R"({"dtype":"F64","shape":[4611686018427387904],"data_offsets":[0,0]})"), 0,
       "more bytes than the 2^64"},
      {one(R"({"dtype":"F4","shape":[3],"data_offsets":[0,2]})"), 2,
       "3 elements of 4 bits do not fill whole bytes"},
      {one(good), 7, "ends at offset 8, the file has 7 bytes of data"},
      {one(good), 9, "the tensors cover 8 bytes of data, the file has 9"},
      {R"({"a":)" + good + R"(,"b":{"dtype":"U8","shape":[1],"data_offsets":[9,10]}})", 10,
       "tensor 'b' begins at offset 9, which leaves a hole: the data before it ends at 8"},
      {R"({"a":)" + good + R"(,"b":{"dtype":"U8","shape":[1],"data_offsets":[7,8]}})", 8,
       "tensor 'b' begins at offset 7 and overlaps the data before it, which ends at 8"},
      {one(R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]})"), 2, "leaves a hole"},
      {"{\"\\u001b[31m\":1}", 0, "tensor '\\x1b[31m': found 1"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.header, c.data_bytes);
    const std::string message = refusal(file_with(c.header, c.data_bytes));
    CHECK((message.empty() == (*c.message == 0) && message.find(c.message) != std::string::npos));
    if (message.find(c.message) == std::string::npos) CHECK(message == c.message);
  }
}

TEST_CASE("lengths are checked before anything is allocated") {
  CHECK(refusal({}).find("found 0 bytes") != std::string::npos);
  CHECK(refusal(Bytes(7)).find("found 7 bytes") != std::string::npos);
  for (const std::uint64_t length : {std::uint64_t{100'000'001}, ~std::uint64_t{0}}) {
    Bytes bytes;
    append(bytes, length);
    append(bytes, std::uint16_t{0x7D7B});
    CHECK(refusal(bytes).find("allowed are 100,000,000") != std::string::npos);
  }
  Bytes bytes;
  append(bytes, std::uint64_t{3});
  append(bytes, std::uint16_t{0x7D7B});
  CHECK(refusal(bytes).find("claims 3 bytes, the file has 2") != std::string::npos);
}

TEST_CASE("element types that we lack leave the other tensors readable") {
  const Bytes bytes = file_with(R"({"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},)"
                                R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]},)"
                                R"("c":{"dtype":"X1","shape":[7],"data_offsets":[4,5]}})",
                                5);
  const SafetensorsContent content = parse_safetensors(bytes, "x");
  REQUIRE(content.tensors.size() == 1);
  CHECK(content.tensors[0].name == "b");
  REQUIRE(content.unreadable.size() == 2);
  CHECK(content.unreadable[0].dtype == "F4");
  CHECK(content.unreadable[0].shape == Shape{4});
  CHECK(content.unreadable[1].reason == "element type X1 is not known");
}

TEST_CASE("our own metadata must fit the tensors") {
  const Tensor tensor(DType::float32, {1});
  const std::vector<SnapshotEntry> entries = {{"w", Role::learnable, tensor.view()}};
  const Bytes good = safetensors_bytes(entries);
  CHECK(refusal(good).empty());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text(as_text(good));
    REQUIRE(from.size() == to.size());
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    const ByteView changed = as_byte_view(text);
    return refusal(Bytes(changed.begin(), changed.end()));
  };
  CHECK(with("version\":\"1\"", "version\":\"2\"").find("format version 2 found, 1 is allowed") !=
        std::string::npos);
  CHECK(with("learnable", "learnabel").find("unknown role 'learnabel'") != std::string::npos);
  CHECK(with("[\\\"w\\\"]", "[\\\"x\\\"]").find("tensor 'w' is not in the registration order") !=
        std::string::npos);
  CHECK(with("[\\\"w\\\"]", "[     ]").find("lists 0 names and 1 roles for 1 tensor") != std::string::npos);
  CHECK(with("[\\\"w\\\"]", "[   1 ]").find("allowed is an array of strings") != std::string::npos);
  CHECK(with("[\\\"w\\\"]", "[[[ ]]]").find("allowed is an array of strings") != std::string::npos);
}

TEST_CASE("every cut of a file is refused, and no flip of a bit is overlooked in silence") {
  Tensor tensor(DType::float32, {2, 3});
  const std::vector<SnapshotEntry> entries = {{"w", Role::learnable, tensor.view()},
                                              {"b", Role::buffer, tensor.view()}};
  const Bytes good = safetensors_bytes(entries);
  for (std::size_t size = 0; size < good.size(); ++size) {
    REQUIRE_FALSE(refusal(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))).empty());
  }
  const std::size_t header_end = good.size() - 2 * tensor.storage.size();
  for (std::size_t bit = 0; bit < header_end * 8; ++bit) {
    Bytes flipped = good;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    try {  // names of metadata may change; what is read then says so
      const SafetensorsContent content = parse_safetensors(flipped, "x");
      REQUIRE(content.tensors.size() + content.unreadable.size() == 2);
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::input);
    }
  }
}

TEST_CASE("bad fixtures are refused") {
  const std::filesystem::path folder = std::filesystem::path(REPRO_SOURCE_DIR) / "tests/data/safetensors";
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    CAPTURE(name);
    const bool refused = !refusal(read_file(file.path())).empty();
    CHECK(refused == name.starts_with("bad_"));
    count += refused ? 1 : 0;
  }
  CHECK(count == 7);
}

}  // namespace

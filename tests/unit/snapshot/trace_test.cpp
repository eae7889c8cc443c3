#include "repro/snapshot/trace.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "repro/base/error.h"
#include "support/temporary_folder.h"
#include "support/trace_records.h"

namespace {

using namespace repro;

// A small training: initial state, then steps of one layout, and one with a validation in it.
std::vector<TraceRecord> some_records() {
  std::vector<TraceRecord> records;
  records.push_back(trace_record(0, 0, 0, {{state(Phase::initialisation, "conv1.weight"), 0xA1}}));
  for (std::int64_t step = 1; step <= 3; ++step) {
    const auto value = static_cast<Fingerprint>(step) << 56;
    TraceSlot operation = state(Phase::update, "conv1.weight");
    operation.kind = SlotKind::written;
    operation.operation = "aten::add_";
    operation.dtype = DType::bfloat16;
    operation.shape = {8, 1, 300};
    operation.strides = {300, 1, 8};
    std::vector<std::pair<TraceSlot, Fingerprint>> entries = {{state(Phase::batch, "input"), value + 1},
                                                              {state(Phase::loss, "loss"), value + 2},
                                                              {operation, value + 3}};
    if (step == 3) entries.push_back({state(Phase::validation, "loss"), 7});
    records.push_back(trace_record(step, 1, step, entries));
  }
  records.push_back(trace_record(300, 2, 1, {}));
  return records;
}

Bytes written(const std::vector<TraceRecord>& records) {
  const TemporaryFolder folder;
  {
    TraceWriter writer(folder.path() / "trace.bin");
    for (const TraceRecord& record : records) writer.write(record);
  }
  return read_file(folder.path() / "trace.bin");
}

bool equal(const TraceRecord& a, const TraceRecord& b) {
  return a.step == b.step && a.epoch == b.epoch && a.batch == b.batch && *a.layout == *b.layout &&
         a.values == b.values;
}

// Whether `trace` holds the first records of `records` and nothing else.
bool is_prefix(const Trace& trace, const std::vector<TraceRecord>& records) {
  return trace.records.size() <= records.size() &&
         std::equal(trace.records.begin(), trace.records.end(), records.begin(), equal);
}

TEST_CASE("a trace that is written is read back") {
  const std::vector<TraceRecord> records = some_records();
  const Trace trace = parse_trace(written(records), "trace.bin");
  CHECK(trace.complete);
  CHECK(trace.records.size() == records.size());
  CHECK(is_prefix(trace, records));

  std::vector<TraceRecord> other = records;
  other[2].values[1] ^= 1;
  CHECK_FALSE(is_prefix(trace, other));
  other = records;
  const auto differs = [&](auto change) {
    other = records;
    TraceLayout layout = *other[2].layout;
    change(layout[2]);
    other[2].layout = std::make_shared<TraceLayout>(layout);
    return !is_prefix(trace, other);
  };
  CHECK_FALSE(differs([](TraceSlot&) {}));
  CHECK(differs([](TraceSlot& slot) { slot.phase = Phase::loss; }));
  CHECK(differs([](TraceSlot& slot) { slot.kind = SlotKind::before; }));
  CHECK(differs([](TraceSlot& slot) { slot.tensor = "x"; }));
  CHECK(differs([](TraceSlot& slot) { slot.layer = "x"; }));
  CHECK(differs([](TraceSlot& slot) { slot.operation = "x"; }));
  CHECK(differs([](TraceSlot& slot) { slot.dtype = DType::float16; }));
  CHECK(differs([](TraceSlot& slot) { slot.shape[1] = 2; }));
  CHECK(differs([](TraceSlot& slot) { slot.strides = {}; }));
  CHECK(trace.records[1].layout == trace.records[2].layout);  // shared
}

TEST_CASE("the bytes of a trace are the documented ones") {
  const std::string documentation =
      read_text_file(std::filesystem::path(REPRO_SOURCE_DIR) / "docs/formats.md");
  const TraceSlot slot{
      .phase = Phase::initialisation, .tensor = "w", .layer = "l", .dtype = DType::float32, .shape = {3}};
  std::string hex = to_hex(
      written({trace_record(0, 0, 0, {{slot, 0x1122334455667788}}), trace_record(1, 1, 1, {{slot, 300}})}));
  const std::string expected[] = {
      "726570726f0a7472020000001f5428ae",                                  // header
      "1c0000003b378b3b",                                                  // length of block 0
      "020177016c010100000102000c0103000000000088776655443322110d314056",  // its payload and checksum
      "0e0000002fa89bc1",
      "0000010101002c01000000000000fbfdfc6c",
  };
  for (const std::string& part : expected) {
    CHECK(hex.substr(0, part.size()) == part);
    hex.erase(0, part.size());
    CHECK(documentation.find(part.substr(part.size() - 8)) != std::string::npos);
  }
  CHECK(hex.empty());
}

TEST_CASE("a trace is compact") {
  std::vector<TraceRecord> records;
  for (std::int64_t step = 0; step <= 95; ++step) {
    std::vector<std::pair<TraceSlot, Fingerprint>> entries;
    for (int i = 0; i < 60; ++i) {
      entries.push_back({state(Phase::update, "adam.m/conv" + std::to_string(i)), 1});
    }
    records.push_back(trace_record(step, 1, step, entries));
  }
  CHECK(written(records).size() < 96 * (60 * 8 + 24) + 60 * 28);
}

TEST_CASE("a trace cut anywhere is readable up to its last whole record") {
  const std::vector<TraceRecord> records = some_records();
  const Bytes bytes = written(records);
  std::size_t complete = 0, most = 0;
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const Trace trace = parse_trace(ByteView(bytes).first(size), "trace.bin");
    REQUIRE(is_prefix(trace, records));
    REQUIRE(trace.records.size() >= most);
    most = trace.records.size();
    complete += trace.complete ? 1 : 0;
  }
  CHECK(most == records.size());
  CHECK(complete == records.size() + 1);  // cuts between records, header alone included
}

TEST_CASE("no flipped bit of a trace is overlooked") {
  const std::vector<TraceRecord> records = some_records();
  const Bytes bytes = written(records);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    Bytes flipped = bytes;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    try {
      parse_trace(flipped, "trace.bin");
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::input);
      ++refused;
    }
    // In the unfinished tail of a cut file it is an error or lies in what is not read.
    try {
      const Trace trace = parse_trace(ByteView(flipped).first(flipped.size() - 5), "trace.bin");
      REQUIRE_FALSE(trace.complete);
      REQUIRE(is_prefix(trace, records));
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::input);
    }
  }
  CHECK(refused == bytes.size() * 8);
}

// A block with a right checksum around any payload.
Bytes with_payload(const Bytes& file, const std::vector<int>& payload);

TEST_CASE("what is not a trace is refused by name") {
  const auto refusal = [](const Bytes& bytes) {
    try {
      parse_trace(bytes, "t");
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  const Bytes empty = written({});
  CHECK(refusal(empty).empty());
  const ByteView text = as_byte_view("step,epoch\n");
  CHECK(refusal(Bytes(text.begin(), text.end())) == "t: it does not begin like a trace");

  const struct {
    std::vector<int> payload;
    const char* message;
  } cases[] = {
      {{0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, ""},
      {{0, 1, 1, 0, 0, 0, 0, 0, 12, 1, 5, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, ""},
      {{}, "t: block 0: it needs 1 more bytes, 0 are left"},
      {{0, 1, 1, 8, 0, 0, 0, 0, 0, 0, 0}, "phase number 8 found, 0 to 7 are allowed"},
      {{0, 1, 1, 0, 7, 0, 0, 0, 0, 0, 0}, "kind number 7 found, 0 to 6 are allowed"},
      {{0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0}, "name number 1 found, 1 are declared"},
      {{0, 1, 1, 0, 0, 0, 0, 0, 22, 0, 0}, "dtype number 22 found, 0 to 21 are allowed"},
      {{0, 1, 1, 0, 0, 0, 0, 0, 0, 9, 0}, "claims 9 items, the 1 bytes left hold fewer"},
      {{0, 0, 0, 0, 0, 0}, "layout number 0 found, 0 are declared"},
      {{0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, "found 1 bytes of values, the layout asks for 8"},
      {{0, 1, 0, 0, 0, 0, 0, 1}, "found 1 bytes of values, the layout asks for 0"},
      {{255, 255, 255, 255, 15}, "claims 4,294,967,295 items"},
      {{0, 1, 255, 255, 255, 15, 0}, "items, the 1 bytes left hold fewer"},
      {{1, 200, 7, 65}, "it needs 968 more bytes, 1 are left"},
      {{1, 233, 7, 65}, "a name has 1,001 bytes, at most 1,000 are allowed"},
      {{255, 255, 255, 255, 255, 255, 255, 255, 255, 2}, "more than 64 bits"},
      {{0, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 0, 0}, "is out of range"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.message);
    const std::string message = refusal(with_payload(empty, c.payload));
    CHECK(message.empty() == (*c.message == 0));
    if (message.find(c.message) == std::string::npos) CHECK(message == c.message);
  }
  const Bytes once = with_payload(empty, {0, 1, 0, 1, 0, 0, 0});
  CHECK(refusal(with_payload(once, {0, 0, 1, 0, 0, 0})) ==
        "t: block 1: step 1 follows step 1, allowed is a later one");
}

std::uint32_t crc_32(ByteView bytes) {  // ISO 3309, bit by bit, so that the test knows it independently
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::byte b : bytes) {
    crc ^= std::to_integer<std::uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc % 2 == 1 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

Bytes with_payload(const Bytes& file, const std::vector<int>& payload) {
  Bytes contents, length, block = file;
  for (const int value : payload) contents.push_back(static_cast<std::byte>(value));
  append(length, static_cast<std::uint32_t>(contents.size()));
  append(block, load<std::uint32_t>(length));
  append(block, crc_32(length));
  block.insert(block.end(), contents.begin(), contents.end());
  append(block, crc_32(contents));
  return block;
}

TEST_CASE("a trace of another version is refused with both numbers") {
  Bytes bytes = written({});
  bytes[8] = std::byte{3};
  const std::uint32_t crc = crc_32(ByteView(bytes).first(12));
  std::memcpy(bytes.data() + 12, &crc, sizeof(crc));
  CHECK_THROWS_AS(parse_trace(bytes, "t"), Error);
  try {
    parse_trace(bytes, "t");
  } catch (const Error& error) {
    CHECK(error.message() == "t: format version 3 found, 2 is allowed");
  }
}

TEST_CASE("a writer refuses steps out of order") {
  const TemporaryFolder folder;
  TraceWriter writer(folder.path() / "trace.bin");
  writer.write({1, 1, 1});
  CHECK_THROWS_AS(writer.write({1, 1, 1}), Error);
  CHECK_THROWS_AS(writer.write({0, 0, 0}), Error);
  TraceRecord unequal{2, 1, 2};
  unequal.values = {1};
  CHECK_THROWS_AS(writer.write(unequal), Error);
  writer.write({2, 1, 2});
  CHECK(read_trace(folder.path() / "trace.bin").records.size() == 2);
}

TEST_CASE("phases have the contract's names") {
  const std::string_view names[] = {"initialisation", "batch",  "forward", "loss",
                                    "backward",       "update", "buffer",  "validation"};
  for (std::uint8_t i = 0; i < 8; ++i) {
    CHECK(name_of(static_cast<Phase>(i)) == names[i]);
    CHECK(phase_named(names[i]) == static_cast<Phase>(i));
  }
  CHECK_FALSE(phase_named("warm-up"));
}

}  // namespace

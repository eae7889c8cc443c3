#include <algorithm>
#include <limits>

#include "repro/base/error.h"
#include "repro/base/mapped_file.h"
#include "repro/base/text.h"
#include "repro/snapshot/trace_format.h"

namespace repro {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& reason, std::string hint = {}) {
  throw Error(ErrorKind::input, what + ": " + reason, std::move(hint));
}

// Takes a payload apart; every read is checked against what is left.
class PayloadReader {
 public:
  PayloadReader(ByteView payload, std::string what) : rest_(payload), what_(std::move(what)) {}

  ByteView bytes(std::uint64_t count) {
    if (count > rest_.size()) {
      fail(what_, "it needs " + thousands(count) + " more bytes, " + thousands(std::uint64_t{rest_.size()}) +
                      " are left");
    }
    const ByteView result = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(static_cast<std::size_t>(count));
    return result;
  }
  std::uint8_t byte() { return std::to_integer<std::uint8_t>(bytes(1)[0]); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      if (shift == 63 && part > 1) break;
      value |= std::uint64_t{part & 0x7FU} << shift;
      if (part < 0x80) return value;
    }
    fail(what_, "a number has more than 64 bits");
  }
  // A number of things that each take at least `size` bytes.
  std::uint64_t count(std::uint64_t size) {
    const std::uint64_t value = number();
    if (value > rest_.size() / size) {
      fail(what_, "it claims " + thousands(value) + " items, the " + thousands(std::uint64_t{rest_.size()}) +
                      " bytes left hold fewer");
    }
    return value;
  }
  std::size_t index(std::size_t size, const char* of) {
    const std::uint64_t value = number();
    if (value >= size) {
      fail(what_, std::string(of) + " number " + thousands(value) + " found, " +
                      thousands(std::uint64_t{size}) + " are declared");
    }
    return static_cast<std::size_t>(value);
  }
  // One byte below `count`.
  std::uint8_t choice(std::uint8_t count, const char* of) {
    const std::uint8_t value = byte();
    if (value >= count) {
      fail(what_, std::string(of) + " number " + std::to_string(value) + " found, 0 to " +
                      std::to_string(count - 1) + " are allowed");
    }
    return value;
  }
  std::int64_t position() {
    const std::uint64_t value = number();
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      fail(what_, "a step, epoch, batch, size or stride of " + thousands(value) + " is out of range");
    }
    return static_cast<std::int64_t>(value);
  }
  std::size_t left() const { return rest_.size(); }
  [[noreturn]] void refuse(const std::string& reason) const { fail(what_, reason); }

 private:
  ByteView rest_;
  std::string what_;
};

// The tables that grow from block to block.
class RecordReader {
 public:
  TraceRecord read(PayloadReader payload) {
    read_names(payload);
    read_layouts(payload);
    TraceRecord record;
    record.step = payload.position();
    record.epoch = payload.position();
    record.batch = payload.position();
    if (last_step_ && record.step <= *last_step_) {
      payload.refuse("step " + std::to_string(record.step) + " follows step " + std::to_string(*last_step_) +
                     ", allowed is a later one");
    }
    last_step_ = record.step;
    record.layout = layouts_[payload.index(layouts_.size(), "layout")];
    const std::size_t values_bytes = record.layout->size() * sizeof(Fingerprint);
    if (payload.left() != values_bytes) {
      payload.refuse("found " + thousands(std::uint64_t{payload.left()}) +
                     " bytes of values, the layout asks for " + thousands(std::uint64_t{values_bytes}));
    }
    record.values.resize(record.layout->size());
    const ByteView values = payload.bytes(values_bytes);
    if (!values.empty()) std::memcpy(record.values.data(), values.data(), values_bytes);
    return record;
  }

 private:
  void read_names(PayloadReader& payload) {
    for (std::uint64_t n = payload.count(1); n > 0; --n) {
      const std::uint64_t size = payload.number();
      if (size > max_trace_name_bytes) {
        payload.refuse("a name has " + thousands(size) + " bytes, at most " +
                       thousands(std::uint64_t{max_trace_name_bytes}) + " are allowed");
      }
      names_.emplace_back(as_text(payload.bytes(size)));
    }
  }
  void read_layouts(PayloadReader& payload) {
    for (std::uint64_t n = payload.count(1); n > 0; --n) {
      auto layout = std::make_shared<TraceLayout>(static_cast<std::size_t>(payload.count(trace_slot_bytes)));
      for (TraceSlot& slot : *layout) slot = read_slot(payload);
      layouts_.push_back(std::move(layout));
    }
  }
  TraceSlot read_slot(PayloadReader& payload) {
    TraceSlot slot;
    slot.phase = static_cast<Phase>(payload.choice(phase_count, "phase"));
    slot.kind = static_cast<SlotKind>(payload.choice(slot_kind_count, "kind"));
    slot.tensor = names_[payload.index(names_.size(), "name")];
    slot.layer = names_[payload.index(names_.size(), "name")];
    slot.operation = names_[payload.index(names_.size(), "name")];
    const std::uint8_t dtype = payload.choice(trace_dtype_count, "dtype");
    if (dtype > 0) slot.dtype = static_cast<DType>(dtype);
    slot.shape = read_sizes(payload);
    slot.strides = read_sizes(payload);
    return slot;
  }
  static std::vector<std::int64_t> read_sizes(PayloadReader& payload) {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(payload.count(1)));
    for (std::int64_t& size : sizes) size = payload.position();
    return sizes;
  }

  std::vector<std::string> names_ = {""};
  std::vector<std::shared_ptr<const TraceLayout>> layouts_;
  std::optional<std::int64_t> last_step_;
};

// False if the file ends within the header.
bool read_header(ByteView bytes, const std::string& what) {
  const std::string_view found = as_text(bytes.first(std::min(bytes.size(), trace_magic.size())));
  if (trace_magic.substr(0, found.size()) != found) {
    fail(what, "it does not begin like a trace", "is this a trace.bin?");
  }
  if (bytes.size() < trace_header_bytes) return false;
  if (load<std::uint32_t>(bytes, 12) != trace_checksum(bytes.first(12))) {
    fail(what, "the checksum of the header is wrong");
  }
  if (const auto version = load<std::uint32_t>(bytes, 8); version != trace_version) {
    fail(what,
         "format version " + std::to_string(version) + " found, " + std::to_string(trace_version) +
             " is allowed",
         "another version of repro-train may be able to read it");
  }
  return true;
}

}  // namespace

Trace parse_trace(ByteView bytes, const std::string& what) {
  Trace trace;
  trace.complete = false;
  if (!read_header(bytes, what)) return trace;
  RecordReader records;
  ByteView rest = bytes.subspan(trace_header_bytes);
  while (rest.size() >= trace_frame_bytes) {
    const std::string block = what + ": block " + std::to_string(trace.records.size());
    if (load<std::uint32_t>(rest, 4) != trace_checksum(rest.first(4))) {
      fail(block, "the checksum of its length is wrong");
    }
    const std::size_t size = load<std::uint32_t>(rest);
    if (rest.size() - trace_frame_bytes < size + trace_check_bytes) return trace;
    const ByteView payload = rest.subspan(trace_frame_bytes, size);
    if (load<std::uint32_t>(rest, trace_frame_bytes + size) != trace_checksum(payload)) {
      fail(block, "the checksum of its contents is wrong");
    }
    trace.records.push_back(records.read(PayloadReader(payload, block)));
    rest = rest.subspan(trace_frame_bytes + size + trace_check_bytes);
  }
  trace.complete = rest.empty();
  return trace;
}

Trace read_trace(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_trace(file.bytes(), displayable(path.string()));
}

}  // namespace repro

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/snapshot/trace_format.h"

namespace repro {
namespace {

// LEB128: seven bits a byte, lowest first, the top bit set on all but the last.
void append_number(Bytes& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) append(out, static_cast<std::uint8_t>(value | 0x80));
  append(out, static_cast<std::uint8_t>(value));
}

void append_checked(Bytes& out, ByteView bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
  append(out, trace_checksum(bytes));
}

// Names as they are first used by the record that is being encoded.
class NewNames {
 public:
  explicit NewNames(std::map<std::string, std::uint64_t, std::less<>>& names) : names_(names) {}
  std::uint64_t index_of(const std::string& name) {
    const auto known = names_.find(name);
    if (known != names_.end()) return known->second;
    if (name.size() > max_trace_name_bytes) {
      throw Error(ErrorKind::bug, "a name in a trace has " + thousands(std::uint64_t{name.size()}) +
                                      " bytes, at most " + thousands(std::uint64_t{max_trace_name_bytes}) +
                                      " are allowed");
    }
    append_number(encoded_, name.size());
    const ByteView bytes = as_byte_view(name);
    encoded_.insert(encoded_.end(), bytes.begin(), bytes.end());
    ++count_;
    return names_.emplace(name, names_.size()).first->second;
  }
  void append_to(Bytes& out) const {
    append_number(out, count_);
    out.insert(out.end(), encoded_.begin(), encoded_.end());
  }

 private:
  std::map<std::string, std::uint64_t, std::less<>>& names_;
  Bytes encoded_;
  std::uint64_t count_ = 0;
};

void append_sizes(Bytes& out, const std::vector<std::int64_t>& sizes) {
  append_number(out, sizes.size());
  for (const std::int64_t size : sizes) append_number(out, static_cast<std::uint64_t>(size));
}

Bytes encode_layout(const TraceLayout& layout, NewNames& names) {
  Bytes out;
  append_number(out, layout.size());
  for (const TraceSlot& slot : layout) {
    append(out, static_cast<std::uint8_t>(slot.phase));
    append(out, static_cast<std::uint8_t>(slot.kind));
    for (const std::string* name : {&slot.tensor, &slot.layer, &slot.operation}) {
      append_number(out, names.index_of(*name));
    }
    append(out, static_cast<std::uint8_t>(slot.dtype ? static_cast<std::uint8_t>(*slot.dtype) : 0));
    append_sizes(out, slot.shape);
    append_sizes(out, slot.strides);
  }
  return out;
}

void check_record(const TraceRecord& record, std::optional<std::int64_t> last_step) {
  if (record.step < 0 || record.epoch < 0 || record.batch < 0 || (last_step && record.step <= *last_step)) {
    throw Error(ErrorKind::bug,
                "a trace record of step " + std::to_string(record.step) + " where a later step is due");
  }
  if (record.values.size() != record.layout->size()) {
    throw Error(ErrorKind::bug, "a trace record has " + thousands(std::uint64_t{record.values.size()}) +
                                    " values for " + thousands(std::uint64_t{record.layout->size()}) +
                                    " slots");
  }
}

}  // namespace

TraceWriter::TraceWriter(const std::filesystem::path& path) : file_(path), names_{{"", 0}} {
  Bytes fields;
  const ByteView magic = as_byte_view(trace_magic);
  fields.insert(fields.end(), magic.begin(), magic.end());
  append(fields, trace_version);
  Bytes header;
  append_checked(header, fields);
  file_.write(header);
  file_.flush();
}

void TraceWriter::write(const TraceRecord& record) {
  check_record(record, last_step_);
  last_step_ = record.step;

  NewNames names(names_);
  Bytes new_layout;
  if (record.layout != last_layout_.layout) {
    Bytes encoded = encode_layout(*record.layout, names);
    const auto [at, is_new] = layouts_.emplace(std::string(as_text(encoded)), std::uint64_t{layouts_.size()});
    last_layout_ = {record.layout, at->second};
    if (is_new) new_layout = std::move(encoded);
  }
  Bytes payload;
  names.append_to(payload);
  append_number(payload, new_layout.empty() ? 0 : 1);
  payload.insert(payload.end(), new_layout.begin(), new_layout.end());
  for (const std::int64_t number : {record.step, record.epoch, record.batch}) {
    append_number(payload, static_cast<std::uint64_t>(number));
  }
  append_number(payload, last_layout_.number);
  for (const Fingerprint value : record.values) append(payload, value);

  Bytes length, block;
  append(length, static_cast<std::uint32_t>(payload.size()));
  append_checked(block, length);
  append_checked(block, payload);
  file_.write(block);
  file_.flush();
}

}  // namespace repro

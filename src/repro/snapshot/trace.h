#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/base/files.h"
#include "repro/snapshot/fingerprint.h"

namespace repro {

// The phases of a step, one closed list, in the order in which things happen.
enum class Phase : std::uint8_t {
  initialisation,
  batch,
  forward,
  loss,
  backward,
  update,
  buffer,
  validation
};
std::string_view name_of(Phase phase);

// One thing that was fingerprinted.
struct TraceEntry {
  Phase phase = Phase::batch;
  std::string tensor;     // "input", "target", "loss", "conv1.weight", "adam.m/conv1.weight", ...
  std::string layer;      // "conv1", or "" where there is none
  std::string operation;  // operation traces (later); "" in step traces
  Fingerprint value = 0;
};
// One step's entries, in the order in which they happened. Step 0 is the state after initialisation.
struct TraceRecord {
  std::int64_t step = 0;
  std::int64_t epoch = 0;  // 0 for step 0
  std::int64_t batch = 0;  // within the epoch, from 1; 0 for step 0
  std::vector<TraceEntry> entries;
};

// trace.bin (docs/formats.md): a header, then one block for each record with its length and checksums, so
// that a file cut anywhere is readable up to its last whole record. A block declares the names and the
// layouts (sequences of phase, tensor, layer, operation) that it is the first to use; a record is then the
// number of its layout and eight bytes for each entry.
class TraceWriter {
 public:
  explicit TraceWriter(const std::filesystem::path& path);  // created or truncated
  // Complete on return: flushed to the kernel. Error{bug} for a step that is not above the one before, or a
  // name of more than max_trace_name_bytes; Error{unavailable} where it cannot be written.
  void write(const TraceRecord& record);

 private:
  GrowingFile file_;
  std::map<std::string, std::uint64_t, std::less<>> names_;
  std::map<std::string, std::uint64_t> layouts_;  // by their encoding
  std::optional<std::int64_t> last_step_;
};

constexpr std::size_t max_trace_name_bytes = 1000;

struct Trace {
  std::vector<TraceRecord> records;
  bool complete = true;  // false: the file ends within a record (a crash); what came before is good
};
// Error{input} for anything else that is wrong: magic, version, checksum, an index out of range, steps out
// of order; the message names the path and the block.
Trace read_trace(const std::filesystem::path& path);
// The same from memory; `what` stands for the path in messages.
Trace parse_trace(ByteView bytes, const std::string& what);

}  // namespace repro

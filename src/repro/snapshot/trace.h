#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
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
std::optional<Phase> phase_named(std::string_view name);

// What a fingerprint was taken of. Step traces have states only; the others belong to an operation.
enum class SlotKind : std::uint8_t {
  state,          // a named tensor of the training, as it is at this point
  input,          // an argument that no operation of this step has made or written
  before,         // what an operation is about to overwrite
  result,         // what an operation returned, in memory of its own
  written,        // what an operation has overwritten
  view,           // an operation returned another view of known memory: no fingerprint (0)
  uninitialised,  // an operation returned memory whose contents mean nothing yet: no fingerprint (0)
};
std::string_view name_of(SlotKind kind);
bool has_fingerprint(SlotKind kind);  // all but view and uninitialised

// Where in a step a fingerprint stands, and what it is of: everything but the value.
struct TraceSlot {
  Phase phase = Phase::batch;
  SlotKind kind = SlotKind::state;
  // State: "input", "target", "loss", "conv1.weight", "adam.m/conv1.weight". Operation: the name of a
  // learnable whose gradient, value or optimiser state it is, else that of the schema's argument or "result".
  std::string tensor;
  std::string layer;           // "conv1", or "" where there is none
  std::string operation = {};  // "aten::convolution"; "" for states
  std::optional<DType> dtype = {};
  Shape shape = {};
  // Of results that lie densely in another order than row-major, in elements: they are fingerprinted in the
  // order in which they lie. Empty: row-major order.
  std::vector<std::int64_t> strides = {};
  bool operator==(const TraceSlot&) const = default;
};
// "conv1" of "conv1.weight" and of "adam.m/conv1.weight"; "" of a name without a dot.
std::string layer_of(std::string_view tensor);
using TraceLayout = std::vector<TraceSlot>;

// One step's fingerprints, in the order in which things happened. Step 0 is the state after initialisation.
// Steps of the same layout share it.
struct TraceRecord {
  std::int64_t step = 0;
  std::int64_t epoch = 0;  // 0 for step 0
  std::int64_t batch = 0;  // within the epoch, from 1; 0 for step 0
  std::shared_ptr<const TraceLayout> layout = std::make_shared<TraceLayout>();
  std::vector<Fingerprint> values = {};  // as many as slots

  std::size_t size() const { return values.size(); }
  const TraceSlot& slot(std::size_t i) const { return (*layout)[i]; }
};

// trace.bin (docs/formats.md): a header, then one block for each record with its length and checksums, so
// that a file cut anywhere is readable up to its last whole record. A block declares the names and the
// layouts that it is the first to use; a record is then the number of its layout and eight bytes for each
// slot.
class TraceWriter {
 public:
  explicit TraceWriter(const std::filesystem::path& path);  // created or truncated
  // Complete on return: flushed to the kernel. Error{bug} for a step that is not above the one before, for
  // another number of values than slots, or a name of more than max_trace_name_bytes; Error{unavailable}
  // where it cannot be written.
  void write(const TraceRecord& record);

 private:
  struct Known {
    std::shared_ptr<const TraceLayout> layout;
    std::uint64_t number = 0;
  };
  GrowingFile file_;
  std::map<std::string, std::uint64_t, std::less<>> names_;
  std::map<std::string, std::uint64_t> layouts_;  // by their encoding
  Known last_layout_;                             // spares encoding the same layout again
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

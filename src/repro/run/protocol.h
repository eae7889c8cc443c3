#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repro/base/error.h"

namespace repro {

// How repro-train and a worker talk (docs/formats.md, "Worker protocol"). The worker is started with
//   repro-worker --protocol 1 --device DEVICE
// and says `ready` or `refused` once, as a line of JSON on descriptor 3. Then each line on its standard
// input names a run directory with a request.json in it; for every one of them it says `step` and
// `warning` while it trains, and `finished` or `failed` at the end. End of input ends it.
inline constexpr int worker_protocol = 1;

struct WorkerEvent {
  enum class Type { ready, refused, step, warning, finished, failed } type = Type::step;

  // ready
  std::int64_t protocol = 0;
  std::string build;          // build_identity()
  std::string device;         // resolved
  std::string device_name;    // "NVIDIA H200"
  std::string device_reason;  // "auto" that became the CPU: why

  // refused, failed
  ErrorKind error = ErrorKind::unavailable;
  std::string hint;

  std::string message;  // refused, failed, warning

  // step, finished
  std::int64_t step = 0;  // finished: steps taken
  std::int64_t total_steps = 0;
  std::int64_t epoch = 0;
  double loss = 0;  // NaN and infinities survive the line

  // finished
  bool stopped_early = false;
  std::optional<std::int64_t> first_nan_step;
  double seconds = 0;
  double step_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
};

// Events as a worker says them.
WorkerEvent step_event(std::int64_t step, std::int64_t total_steps, std::int64_t epoch, double loss);
WorkerEvent warning_event(const std::string& message);
WorkerEvent failed_event(const Error& error);

// One line, without the line break. decode(encode(e)) == e in the members of its type.
std::string encode_event(const WorkerEvent& event);
// Error{unavailable} for a line that no worker of this protocol writes.
WorkerEvent decode_event(std::string_view line);

}  // namespace repro

#pragma once

#include <cstdint>
#include <optional>

#include "repro/base/files.h"
#include "repro/snapshot/trace.h"
#include "repro/train/engine.h"

namespace repro {

// Follows a training along the trace of another run and keeps the first tensor that differs: as
// first_difference.safetensors, with where it was found in its metadata's tensor name.
class Parting {
 public:
  // Error{input} as read_trace.
  Parting(const fs::path& directory, const fs::path& trace);

  // The next step begins.
  void begin(std::int64_t step);
  // Tells the engine what the operations of its next call are expected to give: those that follow
  // number `slot` of this step, up to the next state.
  void expect_operations(Engine& engine, std::size_t slot);
  // Slot number `slot` of this step, and its tensor where there is one at hand. What differs first is kept.
  void compare(std::size_t slot, const TraceSlot& what, Fingerprint value, const TensorView* tensor);

  bool parted() const { return parted_; }

 private:
  void keep(const TraceSlot& what, const TensorView& tensor);

  fs::path directory_;
  Trace trace_;
  const TraceRecord* expected_ = nullptr;  // of this step; null where the trace has none
  bool parted_ = false;
};

}  // namespace repro

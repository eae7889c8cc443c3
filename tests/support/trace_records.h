#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "repro/snapshot/trace.h"

namespace repro {

// A state in a trace, as step traces have them.
inline TraceSlot state(Phase phase, const std::string& tensor) {
  return {.phase = phase, .tensor = tensor, .layer = layer_of(tensor)};
}

// What an operation returned or did to a tensor.
inline TraceSlot operation(Phase phase, const std::string& layer, const std::string& name,
                           const std::string& tensor = "result", SlotKind kind = SlotKind::result) {
  return {.phase = phase, .kind = kind, .tensor = tensor, .layer = layer, .operation = name};
}

inline TraceRecord trace_record(std::int64_t step, std::int64_t epoch, std::int64_t batch,
                                const std::vector<std::pair<TraceSlot, Fingerprint>>& slots) {
  auto layout = std::make_shared<TraceLayout>();
  TraceRecord record{step, epoch, batch};
  for (const auto& [slot, value] : slots) {
    layout->push_back(slot);
    record.values.push_back(value);
  }
  record.layout = layout;
  return record;
}

}  // namespace repro

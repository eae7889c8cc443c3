#include "repro/train/parting.h"

#include <algorithm>

#include "repro/snapshot/safetensors.h"

namespace repro {

Parting::Parting(const fs::path& directory, const fs::path& trace)
    : directory_(directory), trace_(read_trace(trace)) {}

void Parting::begin(std::int64_t step) {
  const auto found = std::ranges::find(trace_.records, step, &TraceRecord::step);
  expected_ = found == trace_.records.end() ? nullptr : &*found;
}

void Parting::expect_operations(Engine& engine, std::size_t slot) {
  OperationTrace expected;
  if (expected_ != nullptr && !parted_) {
    for (std::size_t i = slot; i < expected_->size() && expected_->slot(i).kind != SlotKind::state; ++i) {
      expected.slots.push_back(expected_->slot(i));
      expected.values.push_back(expected_->values[i]);
    }
  }
  engine.expect_operations(std::move(expected));
}

void Parting::compare(std::size_t slot, const TraceSlot& what, Fingerprint value, const TensorView* tensor) {
  if (parted_) return;
  const bool same = expected_ != nullptr && slot < expected_->size() && expected_->slot(slot) == what &&
                    expected_->values[slot] == value;
  if (same) return;
  parted_ = true;
  if (tensor != nullptr) keep(what, *tensor);
}

void Parting::keep(const TraceSlot& what, const TensorView& tensor) {
  const std::string name = what.operation.empty() ? what.tensor : what.operation + "/" + what.tensor;
  const std::vector<SnapshotEntry> entries = {{name, Role::none, tensor}};
  write_safetensors(directory_ / "first_difference.safetensors", entries);
}

}  // namespace repro

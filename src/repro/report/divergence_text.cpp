#include "repro/report/divergence_text.h"

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"

namespace repro {
namespace {

// Learnables have a dot in their names, arguments and results of operations do not.
bool names_a_learnable(const std::string& tensor) { return tensor.find('.') != std::string::npos; }

bool is_gradient(const TraceSlot& slot) {
  if (slot.phase != Phase::backward || !names_a_learnable(slot.tensor)) return false;
  return slot.kind == SlotKind::state || slot.kind == SlotKind::result || slot.kind == SlotKind::written;
}

TraceSlot slot_of(const Divergence& divergence) {
  return {.phase = divergence.phase,
          .kind = divergence.kind,
          .tensor = divergence.tensor,
          .layer = divergence.layer,
          .operation = divergence.operation,
          .dtype = divergence.dtype,
          .shape = divergence.shape};
}

// What the kind of the slot says about who is to blame.
std::string blame_text(const Divergence& divergence) {
  switch (divergence.kind) {
    case SlotKind::state: return {};
    case SlotKind::result:
    case SlotKind::written: return "everything that this operation reads agrees";
    case SlotKind::input:
    case SlotKind::before:
      return "changed by something that is not traced: memory that nothing has written, or a write past the "
             "library";
    case SlotKind::view:
    case SlotKind::uninitialised: return {};
  }
  throw Error(ErrorKind::bug, "unknown kind of slot");
}

}  // namespace

std::string step_text(std::int64_t step, std::int64_t epoch, std::int64_t batch) {
  const std::string text = "step " + std::to_string(step);
  if (step == 0) return text + " (after initialisation)";
  if (epoch == 0) return text;  // a foreign trainer's
  return text + " (epoch " + std::to_string(epoch) + ", batch " + std::to_string(batch) + ")";
}

std::string tensor_text(const TraceSlot& slot) {
  const std::string tensor = is_gradient(slot) ? "gradient of " + slot.tensor : slot.tensor;
  switch (slot.kind) {
    case SlotKind::state:
    case SlotKind::result:
    case SlotKind::written: return tensor;
    case SlotKind::input: return tensor + " as it reads it";
    case SlotKind::before: return tensor + " before it is overwritten";
    case SlotKind::view: return tensor + " (a view)";
    case SlotKind::uninitialised: return tensor + " (uninitialised)";
  }
  throw Error(ErrorKind::bug, "unknown kind of slot");
}

std::string slot_text(const TraceSlot& slot) {
  std::string text(name_of(slot.phase));
  if (slot.operation.empty()) {
    if (!slot.tensor.empty()) return text + ", " + tensor_text(slot);
    return slot.layer.empty() ? text : text + ", layer " + slot.layer;
  }
  if (!slot.layer.empty()) text += ", layer " + slot.layer;
  return text + ", " + slot.operation + " -> " + tensor_text(slot);
}

std::string layout_text(const TraceSlot& slot) {
  if (!slot.dtype) return "";
  std::string text =
      std::string(name_of(*slot.dtype)) + " " + (slot.shape.empty() ? "scalar" : shape_text(slot.shape));
  return slot.strides.empty() ? text : text + " strides " + shape_text(slot.strides);
}

std::string divergence_text(const Divergence& divergence) {
  const std::string text =
      step_text(divergence.step, divergence.epoch, divergence.batch) + ", " + slot_text(slot_of(divergence));
  return divergence.note.empty() ? text : text + ": " + divergence.note;
}

std::vector<std::pair<std::string, std::string>> divergence_details(const Divergence& divergence) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto place = [](const TracePlace& at) {
    return "step " + std::to_string(at.step) + ", " + slot_text(at.slot);
  };
  if (divergence.last_equal) out.emplace_back("last equal", place(*divergence.last_equal));
  if (divergence.different_in_phase > 0) {
    out.emplace_back("different", thousands(divergence.different_in_phase) + " of " +
                                      thousands(divergence.entries_in_phase) +
                                      " fingerprints of this step and phase");
  }
  const bool one_sided = divergence.only_reference + divergence.only_candidate > 0;
  if (one_sided) {
    out.emplace_back("values", divergence.first_different_value ? "what both have first differs at " +
                                                                      place(*divergence.first_different_value)
                                                                : "what both have is equal");
  } else if (const std::string blame = blame_text(divergence); !blame.empty()) {
    out.emplace_back("culprit", blame);
  }
  if (divergence.healed) {
    out.emplace_back("healed", divergence.last_different
                                   ? "nothing differs any more behind " + place(*divergence.last_different)
                                   : "the trainings end in the same state");
  }
  return out;
}

char mark_of(Neighbour::State state) {
  switch (state) {
    case Neighbour::State::equal: return '=';
    case Neighbour::State::different: return '!';
    case Neighbour::State::only_reference: return '-';
    case Neighbour::State::only_candidate: return '+';
  }
  throw Error(ErrorKind::bug, "unknown state of a neighbour");
}

std::string_view words_for(Neighbour::State state) {
  switch (state) {
    case Neighbour::State::equal: return "equal";
    case Neighbour::State::different: return "different";
    case Neighbour::State::only_reference: return "only in the reference";
    case Neighbour::State::only_candidate: return "only in the candidate";
  }
  throw Error(ErrorKind::bug, "unknown state of a neighbour");
}

std::string neighbour_lines(const Divergence& divergence) {
  std::string out;
  for (std::size_t i = 0; i < divergence.neighbours.size(); ++i) {
    const Neighbour& neighbour = divergence.neighbours[i];
    out += i == divergence.at_neighbour ? "  > " : "    ";
    out += std::string(1, mark_of(neighbour.state)) + " " + safe_text(slot_text(neighbour.slot)) + "\n";
  }
  return out;
}

}  // namespace repro

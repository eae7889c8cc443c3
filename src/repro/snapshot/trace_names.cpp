#include "repro/base/error.h"
#include "repro/snapshot/trace_format.h"

namespace repro {

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::initialisation: return "initialisation";
    case Phase::batch: return "batch";
    case Phase::forward: return "forward";
    case Phase::loss: return "loss";
    case Phase::backward: return "backward";
    case Phase::update: return "update";
    case Phase::buffer: return "buffer";
    case Phase::validation: return "validation";
  }
  throw Error(ErrorKind::bug, "unknown phase");
}

std::optional<Phase> phase_named(std::string_view name) {
  for (std::uint8_t i = 0; i < phase_count; ++i) {
    if (name_of(static_cast<Phase>(i)) == name) return static_cast<Phase>(i);
  }
  return std::nullopt;
}

std::string_view name_of(SlotKind kind) {
  switch (kind) {
    case SlotKind::state: return "state";
    case SlotKind::input: return "input";
    case SlotKind::before: return "before";
    case SlotKind::result: return "result";
    case SlotKind::written: return "written";
    case SlotKind::view: return "view";
    case SlotKind::uninitialised: return "uninitialised";
  }
  throw Error(ErrorKind::bug, "unknown kind of slot");
}

bool has_fingerprint(SlotKind kind) { return kind != SlotKind::view && kind != SlotKind::uninitialised; }

std::string layer_of(std::string_view tensor) {
  const std::size_t slash = tensor.rfind('/');
  if (slash != std::string_view::npos) tensor.remove_prefix(slash + 1);
  const std::size_t dot = tensor.find('.');
  return std::string(dot == std::string_view::npos ? std::string_view{} : tensor.substr(0, dot));
}

}  // namespace repro

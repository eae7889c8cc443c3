#include "repro/base/bytes.h"
#include "repro/report/divergence_text.h"
#include "repro/report/escape.h"
#include "repro/report/json.h"

namespace repro {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(json_text(text)); }

std::string_view name_of_state(Neighbour::State state) {
  switch (state) {
    case Neighbour::State::equal: return "equal";
    case Neighbour::State::different: return "different";
    case Neighbour::State::only_reference: return "only_reference";
    case Neighbour::State::only_candidate: return "only_candidate";
  }
  throw Error(ErrorKind::bug, "unknown state of a neighbour");
}

Json json_of(const std::optional<TracePlace>& place) {
  if (!place) return nullptr;
  Json out = {{"step", place->step}, {"epoch", place->epoch}, {"batch", place->batch}};
  out.update(json_of(place->slot));
  return out;
}

}  // namespace

Json json_of(const TraceSlot& slot) {
  return {{"phase", name_of(slot.phase)},
          {"kind", name_of(slot.kind)},
          {"layer", text_or_null(slot.layer)},
          {"operation", text_or_null(slot.operation)},
          {"tensor", text_or_null(slot.tensor)},
          {"dtype", slot.dtype ? Json(name_of(*slot.dtype)) : Json(nullptr)},
          {"shape", slot.dtype ? Json(slot.shape) : Json(nullptr)}};
}

Json json_of(const Divergence& divergence) {
  Json out;
  out["step"] = divergence.step;
  out["epoch"] = divergence.epoch;
  out["batch"] = divergence.batch;
  out["phase"] = name_of(divergence.phase);
  out["kind"] = name_of(divergence.kind);
  out["layer"] = text_or_null(divergence.layer);
  out["operation"] = text_or_null(divergence.operation);
  out["tensor"] = text_or_null(divergence.tensor);
  out["reference_fingerprint"] = hex_of(divergence.reference);
  out["candidate_fingerprint"] = hex_of(divergence.candidate);
  out["different_in_phase"] = divergence.different_in_phase;
  out["entries_in_phase"] = divergence.entries_in_phase;
  out["only_reference"] = divergence.only_reference;
  out["only_candidate"] = divergence.only_candidate;
  out["last_equal"] = json_of(divergence.last_equal);
  out["first_different_value"] = json_of(divergence.first_different_value);
  out["last_different"] = json_of(divergence.last_different);
  out["healed"] = divergence.healed;
  out["neighbours"] = Json::array();
  for (const Neighbour& neighbour : divergence.neighbours) {
    Json entry = {{"state", name_of_state(neighbour.state)}};
    entry.update(json_of(neighbour.slot));
    out["neighbours"].push_back(std::move(entry));
  }
  out["note"] = text_or_null(divergence.note);
  out["text"] = json_text(divergence_text(divergence));
  return out;
}

}  // namespace repro

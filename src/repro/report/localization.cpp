#include "repro/report/localization.h"

#include <algorithm>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/divergence_text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/known_cause.h"
#include "repro/report/table.h"
#include "repro/report/text_parts.h"

namespace repro {
namespace {

std::string differing_values(const TensorDiff& tensor) {
  std::string text =
      thousands(tensor.different) + " of " + plural(static_cast<std::int64_t>(tensor.values), "value");
  if (tensor.max_ulp()) return text + ", at most " + thousands(*tensor.max_ulp()) + " ULP";
  return tensor.max_abs() ? text + ", at most " + rounded(*tensor.max_abs(), 2) : text;
}

}  // namespace

std::string localization_text(const Localization& found) {
  return found.divergence ? divergence_text(*found.divergence) : "the difference did not show again";
}

std::vector<std::pair<std::string, std::string>> localization_details(const AuditResult& audit) {
  const Localization& found = *audit.localization;
  std::vector<std::pair<std::string, std::string>> out;
  if (found.divergence) {
    for (auto& [label, text] : divergence_details(*found.divergence)) {
      if (label == "different" && found.tensor) text = differing_values(*found.tensor);
      if (label != "healed") out.emplace_back(label, text);  // the repetition was stopped
    }
    if (const std::string cause = known_cause_text(audit, found.group, *found.divergence); !cause.empty()) {
      out.emplace_back("cause known", cause);
    }
    if (!found.tensor_note.empty()) out.emplace_back("values", "not at hand: " + found.tensor_note);
  }
  out.emplace_back("repeated", run_name(found.group, found.candidate) + " against " +
                                   run_name(found.group, found.reference) +
                                   " with operation traces: parted again in " + thousands(found.shown) +
                                   " of " + plural(found.attempts, "attempt"));
  if (!found.failure.empty()) out.emplace_back("failed", "a repetition: " + found.failure);
  return out;
}

std::string render_localization_text(const AuditResult& audit, const TextOptions& options) {
  const Localization& found = *audit.localization;
  const std::string style = options.color ? style_of(Verdict::different, true) : "";
  std::string out = styled("first divergence:", style) + " " + safe_text(localization_text(found)) + "\n";
  std::size_t widest = 0;
  const auto details = localization_details(audit);
  for (const auto& [label, text] : details) widest = std::max(widest, label.size());
  for (const auto& [label, text] : details) {
    out += "  " + label + ":" + std::string(widest + 2 - label.size(), ' ') + safe_text(text) + "\n";
  }
  if (found.divergence && !found.divergence->neighbours.empty()) {
    out += "  around it (" + std::string(neighbour_legend) + "):\n" + neighbour_lines(*found.divergence);
  }
  return out;
}

Json json_of_localization(const AuditResult& audit) {
  if (!audit.localization) return nullptr;
  const Localization& found = *audit.localization;
  Json out = {{"group", json_text(found.group)},
              {"reference", found.reference},
              {"candidate", found.candidate},
              {"attempts", found.attempts},
              {"shown", found.shown},
              {"failure", found.failure.empty() ? Json(nullptr) : Json(json_text(found.failure))},
              {"first_divergence", found.divergence ? json_of(*found.divergence) : Json(nullptr)}};
  out["known_cause"] =
      found.divergence ? json_of_known_cause(audit, found.group, *found.divergence) : Json(nullptr);
  out["values"] = found.tensor ? Json(found.tensor->values) : Json(nullptr);
  out["values_different"] = found.tensor ? Json(found.tensor->different) : Json(nullptr);
  out["max_ulp"] = found.tensor && found.tensor->max_ulp() ? Json(*found.tensor->max_ulp()) : Json(nullptr);
  out["max_abs"] = found.tensor ? json_number(found.tensor->max_abs()) : Json(nullptr);
  return out;
}

std::string proof_text(const Proof& proof, ProofState state) {
  const std::string fault = "the fault " + proof.fault;
  const std::string where = proof.divergence ? divergence_text(*proof.divergence) : "";
  switch (state) {
    case ProofState::none: return {};
    case ProofState::made: return "made: " + fault + " was found" + (where.empty() ? "" : ": " + where);
    case ProofState::failed:
      if (!proof.judged_different) return "FAILED: " + fault + " was not found; do not trust this verdict";
      return "FAILED: " + fault + " was not located; found was " + (where.empty() ? "nothing" : where);
    case ProofState::not_possible:
      return "could not be made: " + (proof.finished ? "the real runs are not identical"
                                                     : "the run with the fault failed: " + proof.message);
  }
  throw Error(ErrorKind::bug, "unknown state of a proof");
}

Json json_of(const Proof& proof, ProofState state) {
  const auto name = [&] {
    switch (state) {
      case ProofState::none: return "none";
      case ProofState::made: return "made";
      case ProofState::failed: return "failed";
      case ProofState::not_possible: return "not_possible";
    }
    return "";
  };
  return {{"state", name()},
          {"run", json_text(proof.run)},
          {"fault", json_text(proof.fault)},
          {"judged_different", proof.judged_different},
          {"located", proof.located},
          {"first_divergence", proof.divergence ? json_of(*proof.divergence) : Json(nullptr)}};
}

}  // namespace repro

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "repro/report/json.h"
#include "repro/report/report.h"

namespace repro {

// What `localize` found, as several renderings say it. Texts hold raw names. Those that take an audit want
// one with a localization. "step 12 (epoch 1, batch 12), backward, layer lookup1, aten::_index_put_impl_ ->
// gradient of lookup1.weight"
std::string localization_text(const Localization& found);
// "last equal", "different", "culprit", "cause known", "repeated", …: label and text.
std::vector<std::pair<std::string, std::string>> localization_details(const AuditResult& audit);

// For people: "first divergence: …" with the details below, aligned, then what is around it.
std::string render_localization_text(const AuditResult& audit, const TextOptions& options);
Json json_of_localization(const AuditResult& audit);  // null if there is none

// What `--prove` says: "made: …", "FAILED: …", "could not be made: …".
std::string proof_text(const Proof& proof, ProofState state);
Json json_of(const Proof& proof, ProofState state);

}  // namespace repro

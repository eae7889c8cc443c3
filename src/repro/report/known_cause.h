#pragma once

#include <string>

#include "repro/advice/known_causes.h"
#include "repro/audit/result.h"
#include "repro/report/json.h"

namespace repro {

// The settings that were in force in a group, as its reference run saw them.
Circumstances circumstances_of(const AuditResult& audit, const std::string& group);

// "adds in an order that depends on threads; with "algorithms": true it is deterministic [source]"; "" where
// the table does not speak of the operation under the circumstances of the group.
std::string known_cause_text(const AuditResult& audit, const std::string& group,
                             const Divergence& divergence);
Json json_of_known_cause(const AuditResult& audit, const std::string& group, const Divergence& divergence);

}  // namespace repro

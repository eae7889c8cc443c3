#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repro/audit/execute.h"
#include "repro/audit/result.h"

namespace repro {

// Repeats the two runs of a finished audit that differ first, with operation traces, until they part again,
// at most three times; the candidate is stopped behind the step in which it does. Then the reference is
// repeated once more along the candidate's trace, so that both versions of the first differing tensor are at
// hand. All runs, with localize.json, lie in `localize/` of the audit; the audit itself is not changed, and
// an earlier localization is replaced. Faults that were injected are injected again.
//
// False: nothing in the audit differs. Error{request} for an audit that has not ended or a folder `localize`
// that is none of ours; Error{input} as assemble(); Error{unavailable} as execute(). Interrupted passes
// through, once the worker has been stopped.
bool localize(const fs::path& directory, const ExecuteOptions& options, AuditObserver& observer);

// What is on file of a localization; nothing if there was none. Error{input} for files that are damaged.
std::optional<Localization> read_localization(const fs::path& audit_directory);

}  // namespace repro

#pragma once

#include "repro/audit/result.h"

namespace repro {

// Reads a finished or interrupted audit from its directory, compares every finished run with the reference
// of its group, and says what came out. A pure function of the files: the order in which runs finished, or
// the time, changes nothing. `shown_directory` is how the user should see it.
// Error{input} for files that are missing, malformed, or whose SHA-256 is not the one in result.json.
AuditResult assemble(const fs::path& directory, const fs::path& shown_directory);

}  // namespace repro

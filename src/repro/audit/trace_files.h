#pragma once

#include <string>

#include "repro/base/files.h"
#include "repro/snapshot/trace.h"

namespace repro {

// The trace of a run's folder, or of a trace.bin. Error{input} as read_trace, and for a folder without one
// (with what it is instead: an audit, a run made without traces).
Trace read_trace_of(const fs::path& path);

}  // namespace repro

#pragma once

#include <vector>

#include "repro/audit/diff_result.h"
#include "repro/report/facts.h"

namespace repro {

// The statements about what `diff` found, in the order in which its documents show them: notes, then for
// each comparison that differs or is inconclusive what was left out, remarks and hints. With several
// comparisons a text names the file that it is about.
std::vector<Note> notes_of(const DiffResult& result);

// "3 tensors and leaves left out by --only, --ignore or --scope"
std::string ignored_text(std::uint64_t ignored);

}  // namespace repro

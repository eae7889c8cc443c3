#pragma once

#include <memory>
#include <string>
#include <vector>

#include "repro/audit/diff_side.h"
#include "repro/compare/diff.h"

namespace repro {

// Which of several sides differ from a majority that agrees, in one line that is safe to show: "c.pt is the
// odd one out: the other 2 files are equal", or how many different ones there are. Decided by fingerprints
// of what the filter admits, names included; only for people, never for a verdict.
std::string odd_one_out(const std::vector<std::shared_ptr<OpenedSide>>& sides, const Filter& filter,
                        unsigned threads);

}  // namespace repro

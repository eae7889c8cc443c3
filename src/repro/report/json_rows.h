#pragma once

#include "repro/compare/diff.h"
#include "repro/report/json.h"

namespace repro {

// Writes a row as an object on one line.
void write_row(JsonStream& json, const TensorDiff& row);
// Into an object that is open: the counts and every row.
void write_diff(JsonStream& json, const SnapshotDiff& diff);
// What counts, as an object under the key "filter".
void write_filter(JsonStream& json, const Filter& filter);

}  // namespace repro

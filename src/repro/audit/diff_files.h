#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "repro/audit/diff_result.h"
#include "repro/base/files.h"

namespace repro {

// What `repro-train diff` was asked.
struct DiffRequest {
  std::vector<fs::path> paths;  // the reference, then at least one candidate
  DiffOptions options;
  std::string key;            // OpenOptions::key, for every side
  std::string prefix;         // removed from names; "auto" = the one that makes names match; "" = none
  bool tensors_only = false;  // leaves are left out, and counted
};

// Opens every side, then compares each candidate with the first path. Two audits are compared run by run,
// by the names of their runs. `progress` is called now and then with the bytes compared so far and in all.
// The result keeps the files open, for the accessors of its comparisons.
//
// Error{request} for an audit against something else, Error{input} for a side that cannot be read, or a file
// that has changed when everything was compared.
using DiffProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;
DiffResult diff_files(const DiffRequest& request, const DiffProgress& progress = {});

}  // namespace repro

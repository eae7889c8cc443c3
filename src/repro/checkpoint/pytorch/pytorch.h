#pragma once

#include <string>

#include "repro/checkpoint/checkpoint.h"
#include "repro/checkpoint/zip.h"

namespace repro {

// Archives that PyTorch has written since 1.6 with torch.save, torch.jit.save, or LibTorch's torch::save: a
// zip archive with a pickle <name>/data.pkl and one member <name>/data/<key> for each storage.
bool is_pytorch(const ZipArchive& archive);

// Fills in format, items, remarks and holds_leaves. Nothing of the pickle is executed (pickle/machine.h).
// Error{input} that starts with `what`, for whatever is malformed, reaches beyond its storage, or names a
// global outside the allow-list within the chosen subtree.
void read_pytorch(const ZipArchive& archive, const std::string& what, const OpenOptions& options,
                  Checkpoint& out);

}  // namespace repro

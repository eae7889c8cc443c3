#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repro/checkpoint/checkpoint.h"

namespace repro {

// The checkpoints below a folder, by the rules of open_checkpoint().
struct CheckpointFolder {
  struct File {
    std::string name;  // relative, with '/'
    fs::path path;
  };
  std::vector<File> files;   // sorted by name
  std::uint64_t others = 0;  // files that are no checkpoints
};

// Error{input} if the folder, or an index of shards in it, cannot be read.
CheckpointFolder list_checkpoints(const fs::path& folder, const OpenOptions& options);

// A file that is no folder: any format, or an index of shards.
Checkpoint open_file(const fs::path& path, const OpenOptions& options);

Checkpoint open_folder(const fs::path& folder, const OpenOptions& options);

}  // namespace repro

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/checkpoint/checkpoint.h"
#include "repro/snapshot/item.h"

namespace repro {

// One side of a comparison of files: a checkpoint, or a finished run of an audit (its weights and
// predictions). Holds what its items point into.
class OpenedSide {
 public:
  virtual ~OpenedSide() = default;
  std::string name;    // as the user gave it
  std::string format;  // "safetensors", "pytorch", "run", ...
  std::vector<Item> items;
  bool holds_leaves = false;
  std::vector<std::string> remarks;
  std::map<std::string, std::string> metadata;

  // Error{input} if a file has changed since it was opened.
  virtual void check_unchanged() const = 0;
};

// What a path is, by its content: audit.json makes an audit, the files that a run writes make a run.
enum class PathKind { audit, run, checkpoint };
PathKind kind_of_path(const fs::path& path);

// Error{input} for whatever cannot be read; a run that has not finished, or whose files are no longer
// those it wrote, cannot. Error{request} for a key where there is nothing nested.
std::shared_ptr<OpenedSide> open_side(const fs::path& path, const std::string& name,
                                      const OpenOptions& options);

// The runs of an audit, "<group>-<k>", in order, whether they have finished or not.
std::vector<std::string> run_names(const fs::path& audit_directory);

}  // namespace repro

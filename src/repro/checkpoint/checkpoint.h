#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/base/mapped_file.h"
#include "repro/snapshot/item.h"

namespace repro {

// What a checkpoint file is, decided by its content, never by its name.
enum class CheckpointFormat { safetensors, pytorch, torchscript, npy, npz, sharded, folder };
std::string_view name_of(CheckpointFormat format);  // the enumerator's spelling

// Named tensors and leaves of one or several files, ready to be compared. Values are read lazily; items
// stay valid as long as the checkpoint (they are not copied out of it).
struct Checkpoint {
  CheckpointFormat format = CheckpointFormat::safetensors;
  std::vector<Item> items;  // in the file's order; names are unique
  // Key and value pairs that the format keeps beside its tensors (safetensors' __metadata__).
  std::map<std::string, std::string> metadata;
  bool holds_leaves = false;         // the format can hold values that are no tensors
  std::vector<std::string> remarks;  // facts about the container, one line each, safe to show
  // What the items point into, in the order in which it was opened.
  std::vector<std::shared_ptr<MappedFile>> files;

  // Error{input} if a mapped file has been changed or cut since it was opened. To be called after the
  // values have been read, before anything is said about them.
  void check_unchanged() const;
};

struct OpenOptions {
  // A path into nested checkpoints, such as "model" or "state_dict.encoder": what lies outside it is not
  // looked at. "" = everything. Error{request} for formats without nesting, or if there is no such key.
  std::string key;
  // Folders: files for whose relative path this is true are left out unread.
  std::function<bool(const std::string&)> skip_file;
  // Folders of one file: name tensors "<relative path>:<tensor>", as those of larger folders always are. To
  // be set if any other side of the comparison is a folder of more than one file.
  bool qualify_names = false;
};

// A file, an index of shards, or a folder of them, read recursively in the order of the relative paths.
// Read from a folder are files that are checkpoints by content, and all that end in .safetensors, .pt, .pth,
// .ckpt, .bin, .npz or .npy; an index and its shards count as one file; hidden files and links to folders
// are passed over, other files counted in a remark. Error{input} naming the file, the tensor, the numbers
// found and those allowed, for a folder without any checkpoint as well.
Checkpoint open_checkpoint(const fs::path& path, const OpenOptions& options = {});

// How many checkpoints open_checkpoint() would read: 1 for a file. Looks at the beginnings of files only.
std::size_t count_checkpoint_files(const fs::path& path, const OpenOptions& options = {});

// One file that is already in memory and outlives the result; `what` stands for its path in messages.
// Shards and folders need files and are refused.
Checkpoint parse_checkpoint(ByteView bytes, const std::string& what, const OpenOptions& options = {});

}  // namespace repro

#include "repro/checkpoint/folder.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "repro/base/text.h"
#include "repro/checkpoint/file_kind.h"
#include "repro/checkpoint/merge.h"
#include "repro/checkpoint/numpy.h"
#include "repro/checkpoint/pytorch/pytorch.h"
#include "repro/checkpoint/refuse.h"
#include "repro/checkpoint/shard_index.h"

namespace repro {
namespace {

using File = CheckpointFolder::File;

// Files that are meant to be checkpoints: one that is damaged must not be passed over.
bool claims_checkpoint(const std::string& name) {
  constexpr std::array<std::string_view, 7> suffixes = {".safetensors", ".pt",  ".pth", ".ckpt",
                                                        ".bin",         ".npz", ".npy"};
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [&](std::string_view suffix) { return name.ends_with(suffix); });
}

// All files below the folder that are not hidden, sorted by the bytes of their names; links to files are
// files, links to folders are passed over.
std::vector<File> files_below(const fs::path& folder) {
  std::vector<File> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    const bool hidden = at->path().filename().string().starts_with('.');
    if (at->is_directory(ignored)) {
      if (hidden) at.disable_recursion_pending();
    } else if (!hidden) {
      files.push_back({at->path().lexically_relative(folder).generic_string(), at->path()});
    }
  }
  if (error) refuse("cannot read the folder " + displayable(folder.string()), error_text(error.value()));
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return files;
}

// A zip archive that somebody put beside checkpoints is not one of them, nor is one that cannot be read.
bool is_checkpoint_archive(ByteView bytes) {
  try {
    const ZipArchive archive(bytes, "");
    return is_pytorch(archive) || (is_npz(archive) && !archive.members().empty());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return false;
  }
}

// Adds the paths of the shards that an index at `name` lists.
void add_shards(const MappedFile& index, const std::string& name, std::unordered_set<std::string>& shards) {
  const ShardIndex parsed = parse_shard_index(as_text(index.bytes()), displayable(index.path().string()));
  const std::string folder = name.substr(0, name.rfind('/') + 1);
  for (const std::string& shard : parsed.shards) shards.insert(folder + shard);
}

// True for a checkpoint; fills in the shards of an index.
bool is_checkpoint(const File& file, std::unordered_set<std::string>& shards) {
  if (claims_checkpoint(file.name)) return true;
  std::error_code ignored;
  if (!fs::is_regular_file(file.path, ignored)) return false;
  const MappedFile mapped(file.path);
  switch (file_kind(mapped.bytes())) {
    case FileKind::safetensors:
    case FileKind::npy: return true;
    case FileKind::zip: return is_checkpoint_archive(mapped.bytes());
    case FileKind::json:
      if (!is_shard_index(as_text(mapped.bytes()))) return false;
      add_shards(mapped, file.name, shards);
      return true;
    case FileKind::other: return false;
  }
  throw Error(ErrorKind::bug, "unknown kind of file");
}

}  // namespace

CheckpointFolder list_checkpoints(const fs::path& folder, const OpenOptions& options) {
  CheckpointFolder found;
  std::unordered_set<std::string> shards;
  for (File& file : files_below(folder)) {
    if (options.skip_file && options.skip_file(file.name)) continue;
    if (is_checkpoint(file, shards)) {
      found.files.push_back(std::move(file));
    } else {
      ++found.others;
    }
  }
  std::erase_if(found.files, [&](const File& file) { return shards.contains(file.name); });
  return found;
}

Checkpoint open_folder(const fs::path& folder, const OpenOptions& options) {
  const CheckpointFolder found = list_checkpoints(folder, options);
  const std::string what = displayable(folder.string());
  const std::string others = plural(static_cast<std::int64_t>(found.others), "other file");
  if (found.files.empty()) refuse(what, "the folder holds no checkpoint, " + others + " found");
  const bool qualified = found.files.size() > 1 || options.qualify_names;
  Checkpoint whole;
  for (const File& file : found.files) {
    merge_into(whole, open_file(file.path, options), qualified ? file.name + ":" : "", file.name);
  }
  whole.format = CheckpointFormat::folder;
  if (found.others > 0) whole.remarks.push_back(others + " in the folder, no checkpoints, not looked at");
  // "a:b" in the file "c" and "b" in the file "c:a" would have the same name.
  std::unordered_set<std::string_view> names;
  for (const Item& item : whole.items) {
    if (!names.insert(item.name).second) {
      refuse(what, "two tensors would be named '" + displayable(item.name) + "', one is allowed",
             "rename one of the files");
    }
  }
  return whole;
}

}  // namespace repro

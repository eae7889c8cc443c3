#include "repro/base/text.h"
#include "repro/checkpoint/checkpoint.h"
#include "repro/checkpoint/file_kind.h"
#include "repro/checkpoint/folder.h"
#include "repro/checkpoint/numpy.h"
#include "repro/checkpoint/pytorch/pytorch.h"
#include "repro/checkpoint/refuse.h"
#include "repro/checkpoint/sharded.h"

namespace repro {
namespace {

void refuse_key(const OpenOptions& options, const std::string& what, const char* format) {
  if (options.key.empty()) return;
  throw Error(ErrorKind::request, what + ": the key '" + displayable(options.key) + "' is asked for, but " +
                                      format + " has no nesting");
}

void read_archive(ByteView bytes, const std::string& what, const OpenOptions& options, Checkpoint& out) {
  const ZipArchive archive(bytes, what);
  if (!archive.has_checksums()) {
    out.remarks.push_back("the archive was written without checksums: damage in it cannot be seen");
  }
  if (is_pytorch(archive)) {
    read_pytorch(archive, what, options, out);
  } else if (is_npz(archive)) {
    refuse_key(options, what, "an .npz archive");
    read_npz(archive, what, out);
  } else {
    refuse(what,
           "this is a zip archive without PyTorch's <name>/data.pkl and without .npy files; a checkpoint is "
           "expected",
           "unpack it first");
  }
}

void read_safetensors(ByteView bytes, const std::string& what, Checkpoint& out) {
  SafetensorsContent content = parse_safetensors(bytes, what);
  out.format = CheckpointFormat::safetensors;
  out.metadata = std::move(content.metadata);
  out.items = items_of(std::move(content));
}

}  // namespace

std::string_view name_of(CheckpointFormat format) {
  switch (format) {
    case CheckpointFormat::safetensors: return "safetensors";
    case CheckpointFormat::pytorch: return "pytorch";
    case CheckpointFormat::torchscript: return "torchscript";
    case CheckpointFormat::npy: return "npy";
    case CheckpointFormat::npz: return "npz";
    case CheckpointFormat::sharded: return "sharded";
    case CheckpointFormat::folder: return "folder";
  }
  throw Error(ErrorKind::bug, "unknown format of a checkpoint");
}

void Checkpoint::check_unchanged() const {
  for (const auto& file : files) file->check_unchanged();
}

Checkpoint parse_checkpoint(ByteView bytes, const std::string& what, const OpenOptions& options) {
  Checkpoint out;
  switch (file_kind(bytes)) {
    case FileKind::safetensors:
      refuse_key(options, what, "a safetensors file");
      read_safetensors(bytes, what, out);
      return out;
    case FileKind::zip: read_archive(bytes, what, options, out); return out;
    case FileKind::npy:
      refuse_key(options, what, "an .npy file");
      read_npy(bytes, what, out);
      return out;
    case FileKind::json:
      refuse(what, "this is JSON, at most an index of shards, which is read together with its files only");
    case FileKind::other: refuse_kind(bytes, what);
  }
  throw Error(ErrorKind::bug, "unknown kind of file");
}

Checkpoint open_file(const fs::path& path, const OpenOptions& options) {
  const auto file = std::make_shared<MappedFile>(path);
  if (file_kind(file->bytes()) == FileKind::json) return open_sharded(file, options);
  Checkpoint checkpoint = parse_checkpoint(file->bytes(), displayable(path.string()), options);
  checkpoint.files.push_back(file);
  return checkpoint;
}

Checkpoint open_checkpoint(const fs::path& path, const OpenOptions& options) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? open_folder(path, options) : open_file(path, options);
}

std::size_t count_checkpoint_files(const fs::path& path, const OpenOptions& options) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? list_checkpoints(path, options).files.size() : 1;
}

}  // namespace repro

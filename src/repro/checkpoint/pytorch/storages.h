#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "repro/checkpoint/pytorch/source.h"
#include "repro/checkpoint/pytorch/storage_type.h"
#include "repro/checkpoint/zip.h"

namespace repro {

struct StorageUse {
  std::shared_ptr<const Storage> storage;
  const StorageType* type = nullptr;
  std::uint64_t size_bytes = 0;  // as the persistent id claims; at most storage->size_bytes()
  std::string_view key;          // the member's, in the pickle
};

// The members of an archive that hold the elements of tensors: <folder><key>. Each is one Storage, however
// many tensors use it. The tree of the source must outlive the object: keys are views into it.
class Storages {
 public:
  Storages(const ZipArchive& archive, std::string folder, bool byte_swapped)
      : archive_(archive), folder_(std::move(folder)), byte_swapped_(byte_swapped) {}

  // What the persistent id ('storage', type, key, location, length) stands for. Error{input} if it is
  // malformed, if the member is missing, or if the length does not fit the member.
  StorageUse use(const PickleSource& source, PickleNode persistent, const std::string& path);

  // The name of a member, displayable, for messages.
  std::string member_text(std::string_view key) const;

  bool byte_swapped() const { return byte_swapped_; }

 private:
  const ZipArchive& archive_;
  std::string folder_;
  bool byte_swapped_;
  std::unordered_map<std::string_view, std::shared_ptr<const Storage>> opened_;  // by key
};

}  // namespace repro

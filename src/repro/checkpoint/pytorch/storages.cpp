#include "repro/checkpoint/pytorch/storages.h"

#include "repro/base/text.h"

namespace repro {

StorageUse Storages::use(const PickleSource& source, PickleNode persistent, const std::string& path) {
  const PickleTree& tree = source.tree;
  if (tree.kind(persistent) != PickleKind::persistent) {
    source.fail(path, "the storage is of type " + std::string(name_of(tree.kind(persistent))) +
                          ", allowed is a persistent id");
  }
  const auto id = source.tuple(tree.persistent_id(persistent), path, "the persistent id");
  if (id.size() != 5 || tree.kind(id[0]) != PickleKind::text || tree.text(id[0]) != "storage") {
    source.fail(path,
                "a persistent id of another form found, allowed is ('storage', type, key, location, length)");
  }
  if (source.meaning(id[1]) != TorchGlobal::storage_type || tree.kind(id[1]) != PickleKind::global) {
    if (tree.kind(id[1]) == PickleKind::global) source.fail_global(path, id[1]);
    source.fail(path, "the storage's type is of type " + std::string(name_of(tree.kind(id[1]))) +
                          ", allowed is a global");
  }
  StorageUse use;
  use.type = storage_type_named(tree.global(id[1]).name);
  const std::string_view key = source.text(id[2], path, "the storage's key");
  const std::int64_t length = source.integer(id[4], path, "the storage's length");
  source.spend(key.size(), path);
  auto& storage = opened_[key];
  if (!storage) {
    const ZipMember* member = archive_.find(folder_ + std::string(key));
    if (member == nullptr) {
      source.fail(path, "its storage '" + member_text(key) + "' is not in the archive",
                  "is the file complete?");
    }
    storage = archive_.storage(*member);
  }
  use.storage = storage;
  use.key = key;
  // TorchScript counts in whole elements of the tensor at hand, whatever else shares the storage.
  const std::uint64_t available = storage->size_bytes() / use.type->element_bytes;
  if (length < 0 || static_cast<std::uint64_t>(length) != available) {
    source.fail(path, "its storage '" + member_text(key) + "' has " + thousands(storage->size_bytes()) +
                          " bytes, which are " + thousands(available) + " elements of " +
                          std::string(use.type->name) + "; the pickle says " + thousands(length));
  }
  use.size_bytes = available * use.type->element_bytes;
  return use;
}

std::string Storages::member_text(std::string_view key) const {
  return displayable(folder_ + std::string(key.substr(0, 200)));
}

}  // namespace repro

#include "repro/checkpoint/sharded.h"

#include <limits>
#include <unordered_map>

#include "repro/base/text.h"
#include "repro/checkpoint/merge.h"
#include "repro/checkpoint/refuse.h"
#include "repro/checkpoint/shard_index.h"

namespace repro {
namespace {

std::string quoted(const std::string& name) { return "'" + displayable(name) + "'"; }

Checkpoint open_shard(const fs::path& path) {
  auto file = std::make_shared<MappedFile>(path);
  const std::string what = displayable(path.string());
  Checkpoint shard = parse_checkpoint(file->bytes(), what);
  if (shard.format != CheckpointFormat::safetensors && shard.format != CheckpointFormat::pytorch) {
    refuse(what, "a shard in the format " + std::string(name_of(shard.format)) +
                     " found, allowed are safetensors and pytorch");
  }
  shard.files.push_back(std::move(file));
  return shard;
}

// Where each tensor is listed and was found.
class Places {
 public:
  Places(const ShardIndex& index, const std::string& what) : index_(index), what_(what) {
    for (const ShardIndex::Entry& entry : index.entries) listed_.emplace(entry.tensor, entry.shard);
  }

  void add(std::size_t shard, const std::vector<Item>& items) {
    for (const Item& item : items) {
      const auto [at, is_new] = found_.emplace(item.name, shard);
      if (!is_new) {
        refuse(what_, "tensor " + quoted(item.name) + " is in the shards " +
                          quoted(index_.shards[at->second]) + " and " + quoted(index_.shards[shard]) +
                          ", one is allowed");
      }
      if (item.leaf || listed_.contains(item.name)) continue;
      if (unlisted_++ == 0) first_unlisted_ = item.name;
    }
  }

  // After all shards have been added.
  void check(std::vector<std::string>& remarks) const {
    for (const ShardIndex::Entry& entry : index_.entries) {
      const auto at = found_.find(entry.tensor);
      if (at == found_.end() || at->second != entry.shard) {
        refuse(what_, "tensor " + quoted(entry.tensor) + " is not in the shard " +
                          quoted(index_.shards[entry.shard]) + ", where the index says it is");
      }
    }
    if (unlisted_ > 0) {
      remarks.push_back(plural(static_cast<std::int64_t>(unlisted_), "tensor") +
                        " that the index does not list, the first is " + quoted(first_unlisted_));
    }
  }

 private:
  const ShardIndex& index_;
  const std::string& what_;
  std::unordered_map<std::string, std::size_t> listed_, found_;
  std::size_t unlisted_ = 0;
  std::string first_unlisted_;
};

// A total that does not fit is no fault of the tensors; writers count tied ones once or twice.
void compare_total(std::uint64_t claimed, const std::vector<Item>& items, std::vector<std::string>& remarks) {
  std::uint64_t all = 0, tied = 0;
  for (const Item& item : items) {
    if (!item.not_compared_reason.empty()) return;  // of unknown size
    if (item.leaf) continue;
    all += item.tensor.size_bytes();
    if (!item.alias_of.empty()) tied += item.tensor.size_bytes();
  }
  if (claimed == all || claimed == all - tied) return;
  remarks.push_back("the index gives total_size as " + thousands(claimed) + " bytes, its tensors have " +
                    thousands(all));
}

}  // namespace

Checkpoint open_sharded(const std::shared_ptr<MappedFile>& index_file, const OpenOptions& options) {
  const fs::path folder = index_file->path().parent_path();
  const std::string what = displayable(index_file->path().string());
  const ShardIndex index = parse_shard_index(as_text(index_file->bytes()), what);
  if (!options.key.empty()) {
    throw Error(ErrorKind::request, what + ": the key '" + displayable(options.key) +
                                        "' is asked for, but a sharded checkpoint has no nesting");
  }
  Checkpoint whole;
  whole.format = CheckpointFormat::sharded;
  whole.files.push_back(index_file);
  Places places(index, what);
  for (std::size_t i = 0; i < index.shards.size(); ++i) {
    Checkpoint shard = open_shard(folder / index.shards[i]);
    places.add(i, shard.items);
    merge_into(whole, std::move(shard), "", index.shards[i]);
  }
  places.check(whole.remarks);
  if (index.total_size) compare_total(*index.total_size, whole.items, whole.remarks);
  return whole;
}

}  // namespace repro

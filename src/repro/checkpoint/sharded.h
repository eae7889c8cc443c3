#pragma once

#include <memory>

#include "repro/checkpoint/checkpoint.h"

namespace repro {

// Reads an index of shards and the shards beside it. Items are in the order of the shards' first mention,
// then in each shard's own. Error{input} if a shard is missing, damaged or of another format than safetensors
// and PyTorch's, lacks a tensor that the index says it has, or has one that an earlier shard has too. A
// tensor that the index does not list is read, with a remark.
Checkpoint open_sharded(const std::shared_ptr<MappedFile>& index, const OpenOptions& options);

}  // namespace repro

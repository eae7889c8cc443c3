#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repro {

// An index of shards, as Hugging Face's libraries write it: a JSON object with
// "weight_map": {"<tensor>": "<file name>", ...} and optionally "metadata": {"total_size": <bytes>, ...}.
struct ShardIndex {
  std::vector<std::string> shards;  // relative to the index's folder, in the order of their first mention
  struct Entry {
    std::string tensor;
    std::size_t shard = 0;  // into `shards`
  };
  std::vector<Entry> entries;  // in the order of the file
  std::optional<std::uint64_t> total_size;
};

constexpr std::uint64_t max_index_bytes = 100'000'000;

// True for a JSON object with the key "weight_map" at its top level, however broken it is behind that.
bool is_shard_index(std::string_view json);

// Error{input} that starts with `what` for invalid JSON or UTF-8, duplicate keys, values nested deeper than
// 32 levels, more than 100,000,000 bytes, or file names that are not plain relative paths below the folder.
ShardIndex parse_shard_index(std::string_view json, const std::string& what);

}  // namespace repro

#include <cstdint>
#include <cstdlib>
#include <span>

#include "repro/base/bytes.h"
#include "repro/base/error.h"
#include "repro/checkpoint/shard_index.h"

// Any text is an index of shards or an Error of kind input; what is one is recognised as one, and no file
// name leaves the folder.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace repro;
  const std::string_view json = as_text(std::as_bytes(std::span(data, size)));
  const bool recognised = is_shard_index(json);
  try {
    const ShardIndex index = parse_shard_index(json, "fuzz");
    if (!recognised || index.entries.empty()) std::abort();
    for (const std::string& shard : index.shards) {
      if (shard.empty() || shard[0] == '/' || ("/" + shard + "/").find("/../") != std::string::npos)
        std::abort();
    }
    for (const ShardIndex::Entry& entry : index.entries) {
      if (entry.shard >= index.shards.size()) std::abort();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || error.message().empty()) std::abort();
  }
  return 0;
}

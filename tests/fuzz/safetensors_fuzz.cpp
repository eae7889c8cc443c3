#include <cstdint>
#include <cstdlib>
#include <span>

#include "repro/base/error.h"
#include "repro/compare/diff.h"
#include "repro/snapshot/fingerprint.h"
#include "repro/snapshot/item.h"
#include "repro/snapshot/safetensors.h"

// Any bytes are a safetensors file or an Error of kind input; what was read lies within the bytes, can be
// compared with itself and written, and reads back equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace repro;
  const ByteView bytes = std::as_bytes(std::span(data, size));
  try {
    const SafetensorsContent content = parse_safetensors(bytes, "fuzz");
    std::vector<SnapshotEntry> entries;
    for (std::size_t i = 0; i < content.tensors.size(); ++i) {
      const auto& [name, tensor] = content.tensors[i];
      if (tensor.bytes.size() != element_count(tensor.shape) * size_of(tensor.dtype)) std::abort();
      fingerprint(tensor);  // reads every byte
      entries.push_back({name, content.roles[i], tensor});
    }
    const std::vector<Item> items = items_of(content);
    const Verdict verdict = diff_snapshots(items, items, {}).verdict;
    if (verdict == Verdict::different) std::abort();
    const Bytes written = safetensors_bytes(entries);
    if (parse_safetensors(written, "again").tensors.size() != entries.size()) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || error.message().empty()) std::abort();
  }
  return 0;
}

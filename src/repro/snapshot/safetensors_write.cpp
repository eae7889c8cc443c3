#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "repro/base/error.h"
#include "repro/base/files.h"
#include "repro/base/text.h"
#include "repro/snapshot/safetensors.h"
#include "repro/snapshot/safetensors_header.h"
#include "repro/snapshot/safetensors_metadata.h"

namespace repro {
namespace {

using Entries = std::span<const SnapshotEntry>;

std::string json_string(std::string_view text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::bug, "a tensor's name is not UTF-8: " + displayable(text));
  }
}

void check(Entries entries) {
  std::set<std::string_view> names;
  for (const SnapshotEntry& entry : entries) {
    const std::string shown = "tensor '" + displayable(entry.name) + "'";
    if (entry.name == "__metadata__" || !names.insert(entry.name).second) {
      throw Error(ErrorKind::bug, shown + ": a name that is reserved or occurs twice");
    }
    if (entry.tensor.bytes.size() != element_count(entry.tensor.shape) * size_of(entry.tensor.dtype)) {
      throw Error(ErrorKind::bug, shown + ": its bytes do not fit its shape");
    }
    if (safetensors_dtype(entry.tensor.dtype) == nullptr) {
      throw Error(ErrorKind::request,
                  shown + ": safetensors cannot hold " + std::string(name_of(entry.tensor.dtype)));
    }
  }
}

// The order of header and data: element size descending, then name by its bytes.
std::vector<const SnapshotEntry*> file_order(Entries entries) {
  std::vector<const SnapshotEntry*> order;
  for (const SnapshotEntry& entry : entries) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [](const SnapshotEntry* a, const SnapshotEntry* b) {
    const std::size_t size_a = size_of(a->tensor.dtype), size_b = size_of(b->tensor.dtype);
    return size_a != size_b ? size_a > size_b : a->name < b->name;
  });
  return order;
}

std::string metadata_json(Entries entries) {
  std::string order, roles;
  for (const SnapshotEntry& entry : entries) {
    const char* comma = order.empty() ? "" : ",";
    order += comma + json_string(entry.name);
    roles += comma + json_string(name_of(entry.role));
  }
  return "{" + json_string(metadata_version_key) + ":" +
         json_string(std::to_string(safetensors_metadata_version)) + "," + json_string(metadata_order_key) +
         ":" + json_string("[" + order + "]") + "," + json_string(metadata_roles_key) + ":" +
         json_string("[" + roles + "]") + "}";
}

std::string entry_json(const SnapshotEntry& entry, std::uint64_t begin) {
  const TensorView& tensor = entry.tensor;
  return json_string(entry.name) + ":{\"dtype\":\"" + std::string(safetensors_dtype(tensor.dtype)->name) +
         "\",\"shape\":[" + shape_text(tensor.shape, ",") + "],\"data_offsets\":[" + std::to_string(begin) +
         "," + std::to_string(begin + tensor.bytes.size()) + "]}";
}

}  // namespace

Bytes safetensors_bytes(Entries entries) {
  check(entries);
  const std::vector<const SnapshotEntry*> order = file_order(entries);
  std::string header = "{\"__metadata__\":" + metadata_json(entries);
  std::uint64_t data_bytes = 0;
  for (const SnapshotEntry* entry : order) {
    header += "," + entry_json(*entry, data_bytes);
    data_bytes += entry->tensor.bytes.size();
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.size() > max_safetensors_header_bytes) {
    throw Error(ErrorKind::request,
                "the names and shapes of " + plural(static_cast<std::int64_t>(entries.size()), "tensor") +
                    " take " + thousands(std::uint64_t{header.size()}) + " bytes, safetensors allows " +
                    thousands(max_safetensors_header_bytes));
  }
  const std::uint64_t header_bytes = header.size();
  Bytes out(8 + header.size() + static_cast<std::size_t>(data_bytes));
  std::byte* at = out.data();
  const auto put = [&at](ByteView bytes) { at = std::copy(bytes.begin(), bytes.end(), at); };
  put(std::as_bytes(std::span(&header_bytes, 1)));
  put(as_byte_view(header));
  for (const SnapshotEntry* entry : order) put(entry->tensor.bytes);
  return out;
}

void write_safetensors(const std::filesystem::path& path, Entries entries) {
  write_file(path, safetensors_bytes(entries));
}

}  // namespace repro

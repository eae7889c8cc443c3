#pragma once

#include <string>
#include <vector>

#include "repro/checkpoint/checkpoint.h"
#include "support/temporary_folder.h"

namespace repro::test {

// A safetensors file as PyTorch's users write it, with one tensor of one byte for each name.
inline void write_tensors(const fs::path& path, const std::vector<std::string>& names) {
  std::string header = R"({"__metadata__":{"format":"pt"})";
  for (std::size_t i = 0; i < names.size(); ++i) {
    header += ",\"" + names[i] + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" + std::to_string(i) + "," +
              std::to_string(i + 1) + "]}";
  }
  header += "}";
  Bytes bytes;
  append(bytes, std::uint64_t{header.size()});
  const ByteView text = as_byte_view(header);
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.resize(bytes.size() + names.size(), std::byte{1});
  fs::create_directories(path.parent_path());
  write_file(path, bytes);
}

inline std::string names_of(const Checkpoint& checkpoint) {
  std::string out;
  for (const Item& item : checkpoint.items) out += (out.empty() ? "" : " ") + item.name.text();
  return out;
}

}  // namespace repro::test

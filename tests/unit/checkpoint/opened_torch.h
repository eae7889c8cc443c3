#pragma once

#include "repro/checkpoint/pytorch/pytorch.h"
#include "support/torch_archive.h"
#include "unit/checkpoint/refusal.h"

namespace repro::test {

// A checkpoint together with the bytes that it points into.
struct OpenedTorch {
  Bytes bytes;
  Checkpoint checkpoint;

  explicit OpenedTorch(Bytes file, const std::string& key = "") : bytes(std::move(file)) {
    const ZipArchive archive(bytes, "a.pt");
    CHECK(is_pytorch(archive));
    OpenOptions options;
    options.key = key;
    read_pytorch(archive, "a.pt", options, checkpoint);
  }
  const Item& item(const std::string& name) const {
    for (const Item& item : checkpoint.items) {
      if (item.name == name) return item;
    }
    FAIL("no item " << name);
    return checkpoint.items.front();
  }
  std::string leaf(const std::string& name) const {
    const Item& found = item(name);
    return found.leaf ? found.leaf->type + " " + found.leaf->value : "no leaf";
  }
  std::string names() const {
    std::string out;
    for (const Item& item : checkpoint.items) out += (out.empty() ? "" : " ") + item.name.text();
    return out;
  }
};

// The message of what is wrong with the value's file.
inline std::string torch_refusal(const std::string& value, const std::vector<std::string>& storages = {},
                                 const std::string& key = "", ErrorKind kind = ErrorKind::input) {
  return refusal([&] { OpenedTorch(torch_file(value, storages), key); }, kind);
}

}  // namespace repro::test

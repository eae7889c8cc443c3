#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "repro/base/error.h"
#include "repro/checkpoint/pytorch/pytorch.h"
#include "support/torch_archive.h"

namespace {

using namespace repro;

constexpr std::uint64_t largest_read = 1U << 20;

// What was opened can be read, and its names are unique.
void look_at(const Checkpoint& checkpoint) {
  std::set<std::string> names;
  for (const Item& item : checkpoint.items) {
    if (!names.insert(item.name).second) std::abort();
    if (item.leaf && !checkpoint.holds_leaves) std::abort();
    if (item.leaf || !item.not_compared_reason.empty()) continue;
    // Expanded tensors may be far larger than their storage.
    if (item.tensor.size_bytes() <= largest_read) materialise(item.tensor);
  }
  for (const Item& item : checkpoint.items) {
    if (!item.alias_of.empty() && names.count(item.alias_of) == 0) std::abort();
  }
}

void open(ByteView bytes, const std::string& key) {
  const ZipArchive archive(bytes, "fuzz");
  if (!is_pytorch(archive)) return;
  Checkpoint checkpoint;
  OpenOptions options;
  options.key = key;
  read_pytorch(archive, "fuzz", options, checkpoint);
  look_at(checkpoint);
}

// An archive around a pickle, so that checksums are no obstacle: a byte of flags, a byte with the length of
// the storage at the end, and the pickle in between.
void open_pickle(std::string_view text) {
  if (text.size() < 2) return;
  const auto flags = static_cast<unsigned char>(text[0]);
  const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(text[1]), text.size() - 2);
  const std::string storage(text.substr(text.size() - length));
  const std::string pickle(text.substr(2, text.size() - 2 - length));
  test::TorchMembers members = {
      {"data.pkl", pickle}, {"data/0", storage}, {"data/1", storage}, {"data/2", storage}};
  if ((flags & 1U) != 0) members.push_back({"byteorder", "big"});
  if ((flags & 2U) != 0) {
    members.push_back({"constants.pkl", pickle});
    members.push_back({"constants/0", storage});
  }
  open(test::torch_archive(members), (flags & 4U) != 0 ? "a.0" : "");
}

}  // namespace

// Any bytes are an archive, or a pickle with a storage, that can be read, or an Error of kind input, or of
// kind request where a key is asked for that is not there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = std::as_bytes(std::span(data, size));
  try {
    if (as_text(bytes).starts_with("PK")) {
      open(bytes, "");
    } else {
      open_pickle(as_text(bytes));
    }
  } catch (const Error& error) {
    const bool allowed = error.kind() == ErrorKind::input || error.kind() == ErrorKind::request;
    if (!allowed || error.message().empty()) std::abort();
  }
  return 0;
}

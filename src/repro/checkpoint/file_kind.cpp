#include "repro/checkpoint/file_kind.h"

#include <algorithm>
#include <array>

#include "repro/base/file_kind.h"
#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"
#include "repro/snapshot/safetensors_header.h"

namespace repro {
namespace {

using namespace std::string_view_literals;

struct Finding {
  std::string_view kind;
  std::string_view hint;
};

constexpr std::string_view save_again =
    "load it with torch.load and write it again with torch.save of PyTorch 1.6 or newer";

// The header's length is plausible and its first character is there; a file may be cut behind that.
bool begins_safetensors(ByteView bytes) {
  return bytes.size() > 8 && bytes[8] == std::byte{'{'} &&
         load<std::uint64_t>(bytes) <= max_safetensors_header_bytes;
}

std::string_view without_space(std::string_view text) {
  return text.substr(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
}

// Bytes of zero that the file begins with, counted up to 4096.
std::size_t zeros_before(ByteView bytes) {
  const ByteView beginning = bytes.first(std::min<std::size_t>(bytes.size(), 4096));
  const auto end =
      std::find_if(beginning.begin(), beginning.end(), [](std::byte b) { return b != std::byte{0}; });
  return static_cast<std::size_t>(end - beginning.begin());
}

// A pickle of protocol 2 or newer; the older ones have no mark.
Finding pickle_kind(std::string_view text) {
  if (text.size() < 2 || text[0] != '\x80' || text[1] < 2 || text[1] > 5) return {};
  // The number 0x1950A86A20F9469CFC6C as LONG1 of 10 bytes; a frame of protocol 4 may precede it.
  constexpr std::string_view magic = "\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv;
  if (text.substr(0, 32).find(magic) != std::string_view::npos) {
    return {"a file of torch.save in the format before PyTorch 1.6"sv, save_again};
  }
  return {"a plain pickle, which is never loaded"sv,
          "save its tensors with torch.save, safetensors or numpy"sv};
}

Finding recognised(ByteView bytes) {
  const std::string_view text = as_text(bytes);
  if (text.empty()) return {"an empty file"sv, "is the download complete?"sv};
  if (const Finding pickle = pickle_kind(text); !pickle.kind.empty()) return pickle;
  if (text.size() > 512 && text.substr(257).starts_with("ustar")) {
    return {"a tar archive, as PyTorch before 0.2 wrote"sv, save_again};
  }
  constexpr std::size_t enough_zeros = 16;
  if (const std::size_t zeros = zeros_before(bytes); zeros >= enough_zeros || zeros == bytes.size()) {
    return {"a file that begins with bytes of zero"sv, "is the download complete?"sv};
  }
  const std::string_view kind = recognised_kind(bytes.first(std::min<std::size_t>(bytes.size(), 512)));
  if (kind.starts_with("a Git LFS")) return {kind, "fetch the file with git lfs pull"sv};
  if (kind.starts_with("an HTML"))
    return {kind, "the download gave an error page; look at it, and try again"sv};
  if (kind.ends_with("archive")) return {kind, "unpack it first"sv};
  return {kind, "safetensors, .pt of PyTorch since 1.6, .npy and .npz are read"sv};
}

}  // namespace

FileKind file_kind(ByteView bytes) {
  const std::string_view text = as_text(bytes);
  if (begins_safetensors(bytes)) return FileKind::safetensors;
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06")) return FileKind::zip;
  if (text.starts_with("\x93NUMPY")) return FileKind::npy;
  const std::string_view first = without_space(text.substr(0, 4096));
  if (first.starts_with('{') || first.starts_with('[')) return FileKind::json;
  return FileKind::other;
}

void refuse_kind(ByteView bytes, const std::string& what) {
  const Finding found = recognised(bytes);
  if (!found.kind.empty()) {
    refuse(what, "this is " + std::string(found.kind) + "; a checkpoint is expected",
           std::string(found.hint));
  }
  refuse(what,
         "this is no checkpoint of a known format (it begins with the bytes " +
             to_hex(bytes.first(std::min<std::size_t>(bytes.size(), 8))) + ")",
         std::string(found.hint));
}

}  // namespace repro

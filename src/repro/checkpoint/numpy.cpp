#include "repro/checkpoint/numpy.h"

#include <algorithm>

#include "repro/base/text.h"
#include "repro/checkpoint/member_data.h"
#include "repro/checkpoint/npy_header.h"

namespace repro {
namespace {

constexpr std::string_view suffix = ".npy";
constexpr std::size_t fixed_header_bytes = 12;

// Column-major: the first index runs fastest.
std::vector<std::int64_t> fortran_strides(const Dimensions& shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t next = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    strides[i] = next;
    next *= shape[i];  // of a shape without zeros: fits
  }
  return strides;
}

// The item, but for where its data is.
Item item_of(std::string name, NpyHeader header) {
  Item item;
  item.name = std::move(name);
  item.not_compared_reason = std::move(header.reason);
  item.foreign_dtype = std::move(header.foreign_dtype);
  item.tensor.shape = std::move(header.shape);
  if (!header.dtype) return item;
  StoredTensor& tensor = item.tensor;
  tensor.dtype = *header.dtype;
  tensor.byte_swapped = header.big_endian && size_of(tensor.dtype) > 1;
  if (header.fortran_order && tensor.shape.size() > 1 && tensor.size() > 0) {
    tensor.strides = fortran_strides(tensor.shape);
  }
  return item;
}

NpyHeader header_of(const ZipMember& member, const std::string& place) {
  if (!member.deflated) return parse_npy_header(member.packed, member.size_bytes, place);
  const Bytes fixed = first_bytes(member, fixed_header_bytes, place);
  const auto length = static_cast<std::size_t>(npy_header_bytes(fixed, place));
  return parse_npy_header(first_bytes(member, length, place), member.size_bytes, place);
}

}  // namespace

void read_npy(ByteView bytes, const std::string& what, Checkpoint& out) {
  NpyHeader header = parse_npy_header(bytes, bytes.size(), what);
  const auto data_at = static_cast<std::size_t>(header.data_at);
  Item item = item_of(npy_item_name, std::move(header));
  if (item.not_compared_reason.empty()) item.tensor.direct = bytes.subspan(data_at);
  out.format = CheckpointFormat::npy;
  out.items.push_back(std::move(item));
}

bool is_npz(const ZipArchive& archive) {
  const auto& members = archive.members();
  return members.empty() || std::any_of(members.begin(), members.end(),
                                        [](const ZipMember& m) { return m.name.ends_with(suffix); });
}

void read_npz(const ZipArchive& archive, const std::string& what, Checkpoint& out) {
  out.format = CheckpointFormat::npz;
  std::int64_t others = 0;
  const ZipMember* first_other = nullptr;
  for (const ZipMember& member : archive.members()) {
    if (!member.name.ends_with(suffix)) {
      if (others++ == 0) first_other = &member;
      continue;
    }
    NpyHeader header = header_of(member, place_of(what, member));
    const std::uint64_t data_at = header.data_at;
    Item item = item_of(member.name.substr(0, member.name.size() - suffix.size()), std::move(header));
    if (item.not_compared_reason.empty()) {
      item.tensor.storage = archive.storage(member);
      item.tensor.offset_bytes = data_at;
    }
    out.items.push_back(std::move(item));
  }
  if (first_other != nullptr) {
    out.remarks.push_back(plural(others, "member") + " without the ending .npy left out, the first is '" +
                          displayable(first_other->name) + "'");
  }
}

}  // namespace repro

#include "repro/checkpoint/zip.h"

#include <algorithm>
#include <numeric>

#include "repro/base/inflate_stream.h"
#include "repro/base/text.h"
#include "repro/checkpoint/member_data.h"
#include "repro/checkpoint/refuse.h"
#include "repro/checkpoint/zip_directory.h"
#include "repro/checkpoint/zip_layout.h"

namespace repro {
namespace {

// What deflate cannot have made is a lie, or a bomb.
void check_ratio(const ZipMember& member, const std::string& place) {
  constexpr std::uint64_t slack = 64;
  const std::uint64_t packed = member.packed.size();  // of a file, so that the product fits
  if (!member.deflated || member.size_bytes <= slack) return;
  if ((member.size_bytes - slack) / largest_deflate_ratio > packed) {
    refuse(place, "it claims " + thousands(member.size_bytes) + " bytes, its " + thousands(packed) +
                      " deflated bytes hold at most " + thousands(packed * largest_deflate_ratio + slack));
  }
}

// By chance contents have that checksum once in four billion; several members of an archive never do.
bool is_without_checksums(const std::vector<ZipEntry>& entries) {
  const auto filled = std::ranges::count_if(entries, [](const ZipEntry& e) { return e.size_bytes > 0; });
  return filled > 1 && std::ranges::all_of(entries, [](const ZipEntry& e) { return e.crc32 == 0; });
}

}  // namespace

ZipArchive::ZipArchive(ByteView bytes, std::string what) : what_(std::move(what)) {
  ZipDirectory directory = read_zip_directory(bytes, what_);
  const std::vector<ByteView> data = locate_zip_members(bytes, directory, what_);
  members_.reserve(data.size());
  has_checksums_ = !is_without_checksums(directory.entries);
  for (std::size_t i = 0; i < data.size(); ++i) {
    ZipEntry& entry = directory.entries[i];
    members_.push_back(
        {std::move(entry.name), entry.method != 0, entry.crc32, has_checksums_, entry.size_bytes, data[i]});
    check_ratio(members_.back(), place_of(what_, members_.back()));
  }
  by_name_.resize(members_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::uint32_t{0});
  std::sort(by_name_.begin(), by_name_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return members_[a].name < members_[b].name; });
  const auto twice = std::adjacent_find(
      by_name_.begin(), by_name_.end(),
      [&](std::uint32_t a, std::uint32_t b) { return members_[a].name == members_[b].name; });
  if (twice != by_name_.end()) refuse(place_of(what_, members_[*twice]), "the name occurs twice");
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                   [&](std::uint32_t i, std::string_view n) { return members_[i].name < n; });
  return at != by_name_.end() && members_[*at].name == name ? &members_[*at] : nullptr;
}

Bytes ZipArchive::read(const ZipMember& member, std::uint64_t limit) const {
  const std::string place = place_of(what_, member);
  if (member.size_bytes > limit) {
    refuse(place, "it has " + thousands(member.size_bytes) + " bytes, allowed are " + thousands(limit));
  }
  return unpacked(member, place);
}

std::shared_ptr<const Storage> ZipArchive::storage(const ZipMember& member) const {
  return member_storage(member, place_of(what_, member));
}

}  // namespace repro

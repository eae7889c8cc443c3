#include "repro/checkpoint/zip_directory.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"
#include "repro/checkpoint/zip_fields.h"

namespace repro {
namespace {

constexpr std::size_t end_bytes = 22, locator_bytes = 20, zip64_end_bytes = 56, central_bytes = 46;

// What the end records say of the directory.
struct End {
  std::uint64_t at = 0;  // where the first end record begins
  std::uint64_t entries = 0, size = 0, begin = 0;
};

// The only place that can be the end record: its comment must end with the file.
std::size_t find_end(ByteView bytes, const std::string& what) {
  std::optional<std::size_t> found;
  constexpr std::size_t largest_comment = std::numeric_limits<std::uint16_t>::max();
  for (std::size_t comment = 0; comment <= largest_comment && comment + end_bytes <= bytes.size();
       ++comment) {
    const std::size_t at = bytes.size() - end_bytes - comment;
    if (load<std::uint32_t>(bytes, at) != zip_end_signature) continue;
    if (load<std::uint16_t>(bytes, at + 20) != comment) continue;
    if (found) refuse(what, "two places of the zip archive could be its end, one is allowed");
    found = at;
  }
  if (!found) refuse(what, "the end of the zip archive is missing", "is the file complete?");
  return *found;
}

void refuse_parts(const std::string& what) {
  refuse(what, "the zip archive is one of several parts, which are not read");
}

// A field of the short end record must be all ones or say the same as the long one.
template <class T>
void check_same(T value, std::uint64_t value64, const char* field, const std::string& what) {
  if (value == std::numeric_limits<T>::max() || value == value64) return;
  refuse(what, std::string("the ") + field + " is " + thousands(std::uint64_t{value}) +
                   " in the zip archive's end record and " + thousands(value64) + " in its zip64 end record");
}

// Reads the zip64 end record, if there is a locator just before the end record.
void read_zip64(ByteView bytes, std::size_t end_at, End& end, const std::string& what) {
  if (end_at < locator_bytes) return;
  const std::size_t locator = end_at - locator_bytes;
  if (load<std::uint32_t>(bytes, locator) != zip64_locator_signature) return;
  if (load<std::uint32_t>(bytes, locator + 4) != 0 || load<std::uint32_t>(bytes, locator + 16) > 1) {
    refuse_parts(what);
  }
  const auto at64 = load<std::uint64_t>(bytes, locator + 8);
  if (at64 > locator || locator - at64 < zip64_end_bytes) {
    refuse(what, "the zip64 end record is said to begin at byte " + thousands(at64) +
                     ", its locator at byte " + thousands(std::uint64_t{locator}) + " leaves no room for it");
  }
  const auto at = static_cast<std::size_t>(at64);
  if (load<std::uint32_t>(bytes, at) != zip64_end_signature) {
    refuse(what, "there is no zip64 end record at byte " + thousands(at64));
  }
  const auto size = load<std::uint64_t>(bytes, at + 4);
  if (size != locator - at - 12) {
    refuse(what, "the zip64 end record claims " + thousands(size) + " bytes, it has " +
                     thousands(std::uint64_t{locator - at - 12}));
  }
  const auto entries_here = load<std::uint64_t>(bytes, at + 24);
  const End end64 = {at, load<std::uint64_t>(bytes, at + 32), load<std::uint64_t>(bytes, at + 40),
                     load<std::uint64_t>(bytes, at + 48)};
  if (load<std::uint32_t>(bytes, at + 16) != 0 || load<std::uint32_t>(bytes, at + 20) != 0 ||
      entries_here != end64.entries) {
    refuse_parts(what);
  }
  check_same(static_cast<std::uint16_t>(end.entries), end64.entries, "number of members", what);
  check_same(static_cast<std::uint32_t>(end.size), end64.size, "size of the directory", what);
  check_same(static_cast<std::uint32_t>(end.begin), end64.begin, "directory's place", what);
  end = end64;
}

End read_end(ByteView bytes, const std::string& what) {
  const std::size_t at = find_end(bytes, what);
  const auto disk = load<std::uint16_t>(bytes, at + 4), directory_disk = load<std::uint16_t>(bytes, at + 6);
  const auto entries_here = load<std::uint16_t>(bytes, at + 8);
  End end = {at, load<std::uint16_t>(bytes, at + 10), load<std::uint32_t>(bytes, at + 12),
             load<std::uint32_t>(bytes, at + 16)};
  if (disk != 0 || directory_disk != 0 || entries_here != end.entries) refuse_parts(what);
  read_zip64(bytes, at, end, what);
  if (end.begin > end.at || end.size != end.at - end.begin) {
    refuse(what, "the zip archive's directory is said to have " + thousands(end.size) + " bytes from byte " +
                     thousands(end.begin) + " on, its end record begins at byte " + thousands(end.at));
  }
  if (end.entries > end.size / central_bytes) {
    refuse(what, "the zip archive claims " + thousands(end.entries) + " members, the " + thousands(end.size) +
                     " bytes of its directory hold at most " + thousands(end.size / central_bytes));
  }
  return end;
}

const char* name_of_method(std::uint16_t method) {
  switch (method) {
    case 1: return " (shrunk)";
    case 6: return " (imploded)";
    case 9: return " (deflate64)";
    case 12: return " (bzip2)";
    case 14: return " (LZMA)";
    case 20:
    case 93: return " (zstd)";
    case 95: return " (xz)";
    case 99: return " (AES encryption)";
    default: return "";
  }
}

void check_readable(const ZipEntry& entry, std::uint32_t part, const std::string& member) {
  if (part != 0) refuse(member, "it begins in another part of the archive, which is not read");
  constexpr std::uint16_t encrypted = 1U << 0 | 1U << 6 | 1U << 13;
  // How hard deflate tried, a descriptor, UTF-8 in names.
  constexpr std::uint16_t known = 1U << 1 | 1U << 2 | zip_has_descriptor | 1U << 11;
  if ((entry.flags & encrypted) != 0) refuse(member, "it is encrypted, which is not read");
  if ((entry.flags & ~known) != 0) refuse(member, "its flags 0x" + hex_of(entry.flags) + " are not known");
  if (entry.method != 0 && entry.method != 8) {
    refuse(member, "it is compressed with method " + std::to_string(entry.method) +
                       name_of_method(entry.method) + ", allowed are stored (0) and deflated (8)");
  }
  if (entry.method == 0 && entry.packed_bytes != entry.size_bytes) {
    refuse(member, "it is stored, but has " + thousands(entry.packed_bytes) + " packed and " +
                       thousands(entry.size_bytes) + " unpacked bytes");
  }
}

// Reads the entry at the front of `rest` and removes it.
ZipEntry take_entry(ByteView& rest, std::size_t number, const std::string& what) {
  const std::string place = "entry " + std::to_string(number + 1) + " of the zip archive's directory";
  if (rest.size() < central_bytes || load<std::uint32_t>(rest) != zip_central_signature) {
    refuse(what, place + " is missing or damaged");
  }
  const std::size_t name_bytes = load<std::uint16_t>(rest, 28), extra_bytes = load<std::uint16_t>(rest, 30),
                    comment_bytes = load<std::uint16_t>(rest, 32);
  const std::size_t length = central_bytes + name_bytes + extra_bytes + comment_bytes;
  if (length > rest.size()) {
    refuse(what, place + " claims " + thousands(std::uint64_t{length}) + " bytes, " +
                     thousands(std::uint64_t{rest.size()}) + " are left");
  }
  ZipEntry entry;
  entry.name = as_text(rest.subspan(central_bytes, name_bytes));
  if (entry.name.empty() || entry.name.find('\0') != std::string::npos || !is_utf8(entry.name)) {
    refuse(what, place + ": the name '" + displayable(entry.name) + "' is empty, not UTF-8, or holds a NUL");
  }
  const std::string member = what + ": member '" + displayable(entry.name) + "'";
  Zip64Fields zip64(rest.subspan(central_bytes + name_bytes, extra_bytes), member);
  entry.flags = load<std::uint16_t>(rest, 8);
  entry.method = load<std::uint16_t>(rest, 10);
  entry.crc32 = load<std::uint32_t>(rest, 16);
  entry.size_bytes = zip64.resolve(load<std::uint32_t>(rest, 24), "unpacked size");
  entry.packed_bytes = zip64.resolve(load<std::uint32_t>(rest, 20), "packed size");
  entry.header_at = zip64.resolve(load<std::uint32_t>(rest, 42), "place of the local header");
  check_readable(entry, zip64.resolve_disk(load<std::uint16_t>(rest, 34)), member);
  rest = rest.subspan(length);
  return entry;
}

}  // namespace

ZipDirectory read_zip_directory(ByteView bytes, const std::string& what) {
  const End end = read_end(bytes, what);
  ByteView rest = bytes.subspan(static_cast<std::size_t>(end.begin), static_cast<std::size_t>(end.size));
  ZipDirectory directory;
  directory.begin = end.begin;
  directory.entries.reserve(static_cast<std::size_t>(end.entries));
  for (std::size_t i = 0; i < end.entries; ++i) directory.entries.push_back(take_entry(rest, i, what));
  if (!rest.empty()) {
    refuse(what, "the zip archive's directory has " + thousands(std::uint64_t{rest.size()}) +
                     " bytes after its " + plural(static_cast<std::int64_t>(end.entries), "entry") +
                     ", none are allowed");
  }
  return directory;
}

}  // namespace repro

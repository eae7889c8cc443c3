#include "repro/checkpoint/zip_layout.h"

#include <algorithm>
#include <numeric>

#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"
#include "repro/checkpoint/zip_fields.h"

namespace repro {
namespace {

constexpr std::size_t local_bytes = 30;

[[noreturn]] void disagree(const std::string& member, const char* field, const std::string& local,
                           const std::string& central) {
  refuse(member, std::string("the ") + field + " is " + local + " in its local header and " + central +
                     " in the archive's directory");
}

// With a descriptor the local header may leave a number open by saying 0.
void check_number(std::uint64_t local, std::uint64_t central, bool may_be_open, const char* field,
                  const std::string& member) {
  if (local != central && !(may_be_open && local == 0)) {
    disagree(member, field, thousands(local), thousands(central));
  }
}

// Checks the local header, and returns the bytes that it takes. `header` reaches to the directory.
std::size_t check_local(ByteView header, const ZipEntry& entry, const std::string& member) {
  if (header.size() < local_bytes || load<std::uint32_t>(header) != zip_local_signature) {
    refuse(member, "there is no local header at byte " + thousands(entry.header_at));
  }
  const std::size_t name_bytes = load<std::uint16_t>(header, 26),
                    extra_bytes = load<std::uint16_t>(header, 28);
  const std::size_t length = local_bytes + name_bytes + extra_bytes;
  if (length > header.size()) {
    refuse(member, "the local header claims " + thousands(std::uint64_t{length}) + " bytes, " +
                       thousands(std::uint64_t{header.size()}) + " are left before the archive's directory");
  }
  const std::string_view name = as_text(header.subspan(local_bytes, name_bytes));
  if (name != entry.name) {
    disagree(member, "name", "'" + displayable(name) + "'", "'" + displayable(entry.name) + "'");
  }
  const auto flags = load<std::uint16_t>(header, 6), method = load<std::uint16_t>(header, 8);
  if (flags != entry.flags) disagree(member, "flags word", "0x" + hex_of(flags), "0x" + hex_of(entry.flags));
  if (method != entry.method) {
    disagree(member, "method", std::to_string(method), std::to_string(entry.method));
  }
  const bool open = (entry.flags & zip_has_descriptor) != 0;
  const auto crc32 = load<std::uint32_t>(header, 14);
  if (crc32 != entry.crc32 && !(open && crc32 == 0)) {
    disagree(member, "CRC-32", hex_of(crc32), hex_of(entry.crc32));
  }
  Zip64Fields zip64(header.subspan(local_bytes + name_bytes, extra_bytes), member);
  const std::uint64_t size = zip64.resolve(load<std::uint32_t>(header, 22), "unpacked size");
  const std::uint64_t packed = zip64.resolve(load<std::uint32_t>(header, 18), "packed size");
  check_number(size, entry.size_bytes, open, "unpacked size", member);
  check_number(packed, entry.packed_bytes, open, "packed size", member);
  return length;
}

// CRC-32 and both sizes of 4 or 8 bytes, with or without a signature before them.
void check_descriptor(ByteView bytes, const ZipEntry& entry, const std::string& member) {
  const std::size_t length = bytes.size();
  if (length != 12 && length != 16 && length != 20 && length != 24) {
    refuse(member, "its data descriptor has " + thousands(std::uint64_t{length}) +
                       " bytes, allowed are 12, 16, 20 or 24");
  }
  bool same = true;
  if (length == 16 || length == 24) {
    same = load<std::uint32_t>(bytes) == zip_descriptor_signature;
    bytes = bytes.subspan(4);
  }
  const bool wide = bytes.size() == 20;
  const auto number = [&](std::size_t index) -> std::uint64_t {
    return wide ? load<std::uint64_t>(bytes, 4 + index * 8) : load<std::uint32_t>(bytes, 4 + index * 4);
  };
  if (!same || load<std::uint32_t>(bytes) != entry.crc32 || number(0) != entry.packed_bytes ||
      number(1) != entry.size_bytes) {
    refuse(member, "its data descriptor does not say the same as the archive's directory");
  }
}

}  // namespace

std::vector<ByteView> locate_zip_members(ByteView bytes, const ZipDirectory& directory,
                                         const std::string& what) {
  const std::vector<ZipEntry>& entries = directory.entries;
  const ByteView area = bytes.first(static_cast<std::size_t>(directory.begin));
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return entries[a].header_at < entries[b].header_at; });
  std::vector<ByteView> data(entries.size());
  std::uint64_t covered = 0;  // up to here
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ZipEntry& entry = entries[order[i]];
    const std::string member = what + ": member '" + displayable(entry.name) + "'";
    if (entry.header_at < covered) {
      refuse(member, "it begins at byte " + thousands(entry.header_at) +
                         " and overlaps the one before it, which ends at " + thousands(covered));
    }
    if (entry.header_at > covered) {
      refuse(member, i == 0 ? plural(static_cast<std::int64_t>(entry.header_at), "byte") +
                                  " before it, the first member, none are allowed"
                            : "it begins at byte " + thousands(entry.header_at) +
                                  ", which leaves a hole: the one before it ends at " + thousands(covered));
    }
    const std::uint64_t limit = i + 1 < order.size() ? entries[order[i + 1]].header_at : directory.begin;
    const ByteView header = area.subspan(static_cast<std::size_t>(covered));
    const std::size_t header_bytes = check_local(header, entry, member);
    if (entry.packed_bytes > header.size() - header_bytes) {
      refuse(member, "it claims " + thousands(entry.packed_bytes) + " packed bytes, " +
                         thousands(std::uint64_t{header.size() - header_bytes}) +
                         " are left before the archive's directory");
    }
    data[order[i]] = header.subspan(header_bytes, static_cast<std::size_t>(entry.packed_bytes));
    covered += header_bytes + entry.packed_bytes;
    if ((entry.flags & zip_has_descriptor) != 0 && limit >= covered) {
      // All that lies between the data and what follows; `limit` may still be a lie beyond the directory.
      const std::uint64_t end = std::min<std::uint64_t>(limit, area.size());
      check_descriptor(
          area.subspan(static_cast<std::size_t>(covered), static_cast<std::size_t>(end - covered)), entry,
          member);
      covered = end;
    }
  }
  if (covered != directory.begin) {
    refuse(what, plural(static_cast<std::int64_t>(directory.begin - covered), "byte") +
                     " between the zip archive's last member and its directory belong to nothing");
  }
  return data;
}

}  // namespace repro

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "repro/tensor/stored_tensor.h"

namespace repro {

// Zip archives (PKWARE's APPNOTE 6.3), read without trust: central and local headers must agree, no two
// members may overlap or have the same name, sizes and offsets (zip64 too) must fit the file, and the
// checksum of every member that is read must hold. Stored and deflated members; no encryption, no
// archives in several parts.
struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc32 = 0;
  bool has_checksum = true;      // false: `crc32` says nothing (ZipArchive::has_checksums)
  std::uint64_t size_bytes = 0;  // of the contents
  ByteView packed;               // as it lies in the file: the contents themselves if stored
};

class ZipArchive {
 public:
  // Error{input} that starts with `what`, and names the member, the numbers found and those allowed.
  // The bytes must outlive the archive and everything that it gives.
  ZipArchive(ByteView bytes, std::string what);

  const std::vector<ZipMember>& members() const { return members_; }  // in the order of the directory
  // False if all of several members that are not empty claim the CRC-32 0, as PyTorch writes it when it is
  // told to compute none: nothing is checked then, and damage cannot be seen.
  bool has_checksums() const { return has_checksums_; }
  const ZipMember* find(std::string_view name) const;  // null if there is none

  // The contents of a small member. Error{input} if it has more than `limit` bytes (checked before
  // anything is allocated), if its checksum does not hold, or if it does not inflate to its size.
  Bytes read(const ZipMember& member, std::uint64_t limit) const;

  // The contents as a storage that is checked, and inflated if need be, when it is first asked for its
  // bytes. A stored member is not copied. A deflated one above 16 MiB is inflated into an unnamed temporary
  // file, so that memory stays bounded; Error{unavailable} where that cannot be written. The storage keeps
  // what it needs of the archive, not the archive itself.
  std::shared_ptr<const Storage> storage(const ZipMember& member) const;

 private:
  std::string what_;
  std::vector<ZipMember> members_;  // and their names, sorted, for find()
  std::vector<std::uint32_t> by_name_;
  bool has_checksums_ = true;
};

}  // namespace repro

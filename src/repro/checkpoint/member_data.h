#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "repro/checkpoint/zip.h"

namespace repro {

// A deflated member with more bytes than this is inflated into a temporary file.
constexpr std::uint64_t largest_inflated_in_memory = std::uint64_t{1} << 24;

// "file.npz: member 'x.npy'", for messages.
std::string place_of(const std::string& archive, const ZipMember& member);

// The contents of a member in memory, its checksum checked; errors begin with `place`.
Bytes unpacked(const ZipMember& member, const std::string& place);

// The first `count` bytes of a member (all of it if it is shorter); the checksum is not looked at.
Bytes first_bytes(const ZipMember& member, std::size_t count, const std::string& place);

// The storage of ZipArchive::storage().
std::shared_ptr<const Storage> member_storage(const ZipMember& member, std::string place);

}  // namespace repro

#include "repro/checkpoint/member_data.h"

#include <libdeflate.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "repro/base/inflate_stream.h"
#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"
#include "repro/checkpoint/unnamed_file.h"

namespace repro {
namespace {

constexpr const char* damaged_hint = "the file is damaged; copy or save it again";

std::uint32_t crc32_of(ByteView bytes, std::uint32_t before = 0) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

void check_crc(std::uint32_t found, const ZipMember& member, const std::string& place) {
  if (!member.has_checksum || found == member.crc32) return;
  refuse(
      place,
      "its data has the CRC-32 " + hex_of(found) + ", the archive's directory says " + hex_of(member.crc32),
      damaged_hint);
}

[[noreturn]] void refuse_length(const ZipMember& member, const char* found, const std::string& place) {
  refuse(place, std::string("it inflates to ") + found + " than the " + thousands(member.size_bytes) +
                    " bytes that the archive's directory says");
}

// The deflated data must end with the packed bytes.
void check_all_used(std::size_t left, const std::string& place) {
  if (left > 0) {
    refuse(place, plural(static_cast<std::int64_t>(left), "byte") +
                      " after the end of its deflated data, none are allowed");
  }
}

Bytes inflated(const ZipMember& member, const std::string& place) {
  struct Free {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  };
  const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) throw Error(ErrorKind::unavailable, place + ": libdeflate is out of memory");
  Bytes out(static_cast<std::size_t>(member.size_bytes));
  std::byte nothing{};  // libdeflate wants an address even for no bytes
  std::size_t used = 0, made = 0;
  const libdeflate_result result =
      libdeflate_deflate_decompress_ex(decompressor.get(), member.packed.data(), member.packed.size(),
                                       out.empty() ? &nothing : out.data(), out.size(), &used, &made);
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE) refuse_length(member, "more", place);
  if (result != LIBDEFLATE_SUCCESS) refuse(place, "its deflated data is damaged or cut off", damaged_hint);
  if (made < out.size()) refuse_length(member, "fewer", place);
  check_all_used(member.packed.size() - used, place);
  return out;
}

// Inflates into a file, so that memory stays bounded, and checks everything on the way.
void inflate_into(UnnamedFile& file, const ZipMember& member, const std::string& place) {
  InflateStream stream(member.packed, InflateStream::Format::raw, place, damaged_hint);
  Bytes buffer(std::size_t{1} << 18);
  std::uint64_t made = 0;
  std::uint32_t crc = 0;
  while (!stream.ended()) {
    const ByteView chunk(buffer.data(), stream.read(buffer));
    if (chunk.size() > member.size_bytes - made) refuse_length(member, "more", place);
    made += chunk.size();
    crc = crc32_of(chunk, crc);
    file.write(chunk);
  }
  if (made < member.size_bytes) refuse_length(member, "fewer", place);
  check_all_used(stream.rest().size(), place);
  check_crc(crc, member, place);
}

// Contents that lie in the file as they are.
class StoredMember : public Storage {
 public:
  StoredMember(const ZipMember& member, std::string place) : member_(member), place_(std::move(place)) {}

  ByteView bytes() const override {
    if (!checked_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex_);
      if (!checked_.load(std::memory_order_relaxed)) {
        check_crc(crc32_of(member_.packed), member_, place_);
        checked_.store(true, std::memory_order_release);
      }
    }
    return member_.packed;
  }
  std::uint64_t size_bytes() const override { return member_.size_bytes; }

 private:
  const ZipMember member_;
  const std::string place_;
  mutable std::mutex mutex_;
  mutable std::atomic<bool> checked_{false};
};

// Contents that must be inflated, in memory or into a temporary file.
class DeflatedMember : public Storage {
 public:
  DeflatedMember(const ZipMember& member, std::string place) : member_(member), place_(std::move(place)) {}

  ByteView bytes() const override {
    const std::lock_guard lock(mutex_);
    if (!view_) fetch();
    return *view_;
  }
  std::uint64_t size_bytes() const override { return member_.size_bytes; }
  void release() const override {
    const std::lock_guard lock(mutex_);
    view_.reset();
    file_.reset();
    Bytes().swap(memory_);
  }

 private:
  void fetch() const {
    if (member_.size_bytes <= largest_inflated_in_memory) {
      memory_ = unpacked(member_, place_);
      view_ = memory_;
      return;
    }
    auto file = std::make_unique<UnnamedFile>();
    inflate_into(*file, member_, place_);
    view_ = file->map();
    file_ = std::move(file);
  }

  const ZipMember member_;
  const std::string place_;
  mutable std::mutex mutex_;
  mutable std::optional<ByteView> view_;
  mutable Bytes memory_;
  mutable std::unique_ptr<UnnamedFile> file_;
};

}  // namespace

std::string place_of(const std::string& archive, const ZipMember& member) {
  return archive + ": member '" + displayable(member.name) + "'";
}

Bytes unpacked(const ZipMember& member, const std::string& place) {
  Bytes out = member.deflated ? inflated(member, place) : Bytes(member.packed.begin(), member.packed.end());
  check_crc(crc32_of(out), member, place);
  return out;
}

Bytes first_bytes(const ZipMember& member, std::size_t count, const std::string& place) {
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(count, member.size_bytes));
  if (!member.deflated) {
    const ByteView first = member.packed.first(length);
    return {first.begin(), first.end()};
  }
  Bytes out(length);
  InflateStream stream(member.packed, InflateStream::Format::raw, place, damaged_hint);
  if (stream.read(out) < length) refuse_length(member, "fewer", place);
  return out;
}

std::shared_ptr<const Storage> member_storage(const ZipMember& member, std::string place) {
  if (!member.deflated) return std::make_shared<StoredMember>(member, std::move(place));
  return std::make_shared<DeflatedMember>(member, std::move(place));
}

}  // namespace repro

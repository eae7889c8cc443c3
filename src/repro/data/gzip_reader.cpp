#include "repro/data/gzip_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

constexpr const char* hint = "fetch or compress the file again";

bool starts_gzip(ByteView bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

}  // namespace

GzipReader::GzipReader(ByteView file, std::string name)
    : rest_(file), file_size_(file.size()), name_(std::move(name)) {
  if (starts_gzip(file)) inflater_.emplace(file, InflateStream::Format::gzip, "cannot read " + name_, hint);
}

std::size_t GzipReader::read(std::span<std::byte> out) {
  if (inflater_) return read_members(out);
  const std::size_t count = std::min(out.size(), rest_.size());
  if (count > 0) std::memcpy(out.data(), rest_.data(), count);
  rest_ = rest_.subspan(count);
  return count;
}

std::size_t GzipReader::read_members(std::span<std::byte> out) {
  std::size_t done = 0;
  while (true) {
    done += inflater_->read(out.subspan(done));
    if (!inflater_->ended() || inflater_->rest().empty()) return done;
    if (!starts_gzip(inflater_->rest())) {
      throw Error(ErrorKind::input,
                  "cannot read " + name_ + ": " + thousands(std::uint64_t{inflater_->rest().size()}) +
                      " bytes follow the end of the gzip data, none are allowed",
                  hint);
    }
    inflater_->next_member();
  }
}

std::uint64_t GzipReader::skip_rest() {
  if (!inflater_) {
    const std::uint64_t count = rest_.size();
    rest_ = {};
    return count;
  }
  std::array<std::byte, 16384> buffer{};
  std::uint64_t count = 0;
  while (const std::size_t n = read(buffer)) count += n;
  return count;
}

std::uint64_t GzipReader::capacity() const {
  if (!inflater_) return file_size_;
  return file_size_ > std::numeric_limits<std::uint64_t>::max() / largest_deflate_ratio
             ? std::numeric_limits<std::uint64_t>::max()
             : file_size_ * largest_deflate_ratio;
}

}  // namespace repro

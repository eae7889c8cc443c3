#include "repro/data/gzip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

constexpr std::uint64_t largest_ratio = 1032;  // https://zlib.net/zlib_tech.html

bool starts_gzip(ByteView bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
  throw Error(ErrorKind::input, "cannot read " + name + ": " + reason, "fetch or compress the file again");
}

}  // namespace

// zlib's inflate over a buffer, with every return value looked at.
class GzipReader::Inflater {
 public:
  Inflater(ByteView file, const std::string& name) : rest_(file), name_(name) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) {  // 16: gzip only
      throw Error(ErrorKind::unavailable, "zlib cannot be started: out of memory");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  std::size_t read(std::span<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && !ended_) done += step(out.subspan(done));
    return done;
  }

 private:
  std::size_t step(std::span<std::byte> out) {
    constexpr std::size_t limit = std::numeric_limits<uInt>::max();
    const auto available_in = static_cast<uInt>(std::min(rest_.size(), limit));
    const auto available_out = static_cast<uInt>(std::min(out.size(), limit));
    // zlib's interface is not const-correct; it does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(rest_.data()));
    stream_.avail_in = available_in;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = available_out;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    rest_ = rest_.subspan(available_in - stream_.avail_in);
    if (status == Z_STREAM_END) {
      end_member();
    } else if (status != Z_OK) {
      fail(name_, reason(status));
    }
    return available_out - stream_.avail_out;
  }

  void end_member() {
    if (rest_.empty()) {
      ended_ = true;
    } else if (starts_gzip(rest_)) {
      inflateReset(&stream_);
    } else {
      fail(name_, thousands(std::uint64_t{rest_.size()}) +
                      " bytes follow the end of the gzip data, none are allowed");
    }
  }

  std::string reason(int status) const {
    if (status == Z_MEM_ERROR) return "out of memory";
    if (rest_.empty() && status == Z_BUF_ERROR) return "the gzip data is cut off";
    const std::string_view said = stream_.msg != nullptr ? stream_.msg : "no reason given";
    if (said == "incorrect data check") return "the gzip data is damaged: wrong CRC-32";
    if (said == "incorrect length check") return "the gzip data is damaged: wrong length";
    return "the gzip data is damaged: " + std::string(said);
  }

  z_stream stream_ = {};
  ByteView rest_;
  const std::string& name_;
  bool ended_ = false;
};

GzipReader::GzipReader(ByteView file, std::string name)
    : rest_(file), file_size_(file.size()), name_(std::move(name)) {
  if (starts_gzip(file)) inflater_ = std::make_unique<Inflater>(file, name_);
}

GzipReader::~GzipReader() = default;

std::size_t GzipReader::read(std::span<std::byte> out) {
  if (inflater_) return inflater_->read(out);
  const std::size_t count = std::min(out.size(), rest_.size());
  if (count > 0) std::memcpy(out.data(), rest_.data(), count);
  rest_ = rest_.subspan(count);
  return count;
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
  return file_size_ > std::numeric_limits<std::uint64_t>::max() / largest_ratio
             ? std::numeric_limits<std::uint64_t>::max()
             : file_size_ * largest_ratio;
}

}  // namespace repro

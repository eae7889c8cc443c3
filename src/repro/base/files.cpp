#include "repro/base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

// Closes on scope exit; writers call close() themselves because a failing close can be a lost write.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

[[noreturn]] void fail_reading(const fs::path& path, const std::string& reason) {
  throw Error(ErrorKind::input, "cannot read " + displayable(path.string()) + ": " + reason);
}
[[noreturn]] void fail_writing(const fs::path& path, int error_number) {
  throw Error(ErrorKind::unavailable,
              "cannot write " + displayable(path.string()) + ": " + error_text(error_number));
}

struct OpenedFile {
  Descriptor descriptor;
  std::uint64_t size_bytes;
};

OpenedFile open_regular(const fs::path& path) {
  // O_NONBLOCK: a FIFO must be refused, not waited for.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) fail_reading(path, error_text(errno));
  struct stat info = {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    fail_reading(path, S_ISDIR(info.st_mode) ? "it is a folder" : "not a regular file");
  }
  return {Descriptor(fd), static_cast<std::uint64_t>(info.st_size)};
}

void write_all(int fd, ByteView bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_writing(path, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

template <class Container>
Container read_whole(const fs::path& path, std::uint64_t limit) {
  const OpenedFile file = open_regular(path);
  if (file.size_bytes > limit) {
    fail_reading(path, "it has " + thousands(file.size_bytes) + " bytes, at most " + thousands(limit) +
                           " are allowed");
  }
  Container out(static_cast<std::size_t>(file.size_bytes), typename Container::value_type{});
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::read(file.descriptor.get(), out.data() + done, out.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_reading(path, error_text(errno));
    if (n == 0) fail_reading(path, "it became shorter while it was read");
    done += static_cast<std::size_t>(n);
  }
  return out;
}

}  // namespace

std::string error_text(int error_number) { return std::generic_category().message(error_number); }

Bytes read_file(const fs::path& path, std::uint64_t limit) { return read_whole<Bytes>(path, limit); }

std::string read_text_file(const fs::path& path, std::uint64_t limit) {
  return read_whole<std::string>(path, limit);
}

void write_file(const fs::path& path, ByteView bytes) {
  static std::atomic<unsigned> counter{0};
  fs::path temporary = path;
  temporary += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) fail_writing(path, errno);
  try {
    write_all(file.get(), bytes, path);
    if (::fsync(file.get()) != 0) fail_writing(path, errno);
    if (file.close() != 0) fail_writing(path, errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail_writing(path, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

void write_file(const fs::path& path, std::string_view text) { write_file(path, as_byte_view(text)); }

GrowingFile::GrowingFile(const fs::path& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_writing(path_, errno);
}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void GrowingFile::write(ByteView bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= 65536) flush();
}

void GrowingFile::flush() {
  const Bytes pending = std::exchange(buffer_, {});
  write_all(descriptor_, pending, path_);
}

}  // namespace repro

#include "repro/checkpoint/unnamed_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "repro/base/error.h"
#include "repro/base/files.h"
#include "repro/base/text.h"

namespace repro {

UnnamedFile::UnnamedFile() {
  std::error_code error;
  folder_ = fs::temp_directory_path(error).string();
  if (error) fail(error.value());
  descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return;
  // Not every file system knows O_TMPFILE.
  std::string name = (fs::path(folder_) / "repro-train-XXXXXX").string();
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
  ::unlink(name.c_str());
}

UnnamedFile::~UnnamedFile() {
  if (address_ != nullptr) ::munmap(address_, size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void UnnamedFile::write(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    size_ += static_cast<std::size_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

ByteView UnnamedFile::map() {
  if (size_ == 0) return {};
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (address == MAP_FAILED) fail(errno);
  address_ = address;
  return {static_cast<const std::byte*>(address), size_};
}

void UnnamedFile::fail(int error_number) const {
  throw Error(ErrorKind::unavailable,
              "cannot write a temporary file in " + displayable(folder_.empty() ? "TMPDIR" : folder_) + ": " +
                  error_text(error_number),
              "set TMPDIR to a folder with enough free space for the unpacked data");
}

}  // namespace repro

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "repro/base/bytes.h"

namespace repro {

namespace fs = std::filesystem;

// Reads a whole regular file. Error{input} with path and reason if it is missing, unreadable, a folder,
// or larger than `limit` bytes (checked before anything is allocated).
Bytes read_file(const fs::path& path, std::uint64_t limit = std::uint64_t{1} << 34);
std::string read_text_file(const fs::path& path, std::uint64_t limit = std::uint64_t{1} << 28);

// Writes under a temporary name beside `path`, flushes, fsyncs, checks and renames: afterwards `path`
// holds either all of `bytes` or what it held before. Error{unavailable} with path and reason.
void write_file(const fs::path& path, ByteView bytes);
void write_file(const fs::path& path, std::string_view text);

// A file that grows in place (steps.csv, trace.bin). Every write is checked; flush() hands all to the
// kernel. Error{unavailable} with path and reason.
class GrowingFile {
 public:
  explicit GrowingFile(const fs::path& path);  // created or truncated
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile();
  void write(ByteView bytes);
  void write(std::string_view text) { write(as_byte_view(text)); }
  void flush();

 private:
  fs::path path_;
  int descriptor_ = -1;
  Bytes buffer_;
};

// "No such file or directory" for ENOENT and so on; thread-safe.
std::string error_text(int error_number);

}  // namespace repro

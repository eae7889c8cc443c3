#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "repro/base/bytes.h"

namespace repro {

// A regular file mapped read-only for the lifetime of the object; an empty file has an empty view.
// Not copyable; the view stays valid when the object is moved.
//
// A file that is cut while it is mapped does not crash the program: the pages that are gone read as zeros,
// and check_unchanged() says what happened. For that the first mapping installs a handler for SIGBUS, which
// passes on whatever does not concern a mapping of ours. At most 65,536 files can be mapped at a time.
class MappedFile {
 public:
  // Error{input} with path and reason if it is missing, unreadable or no regular file; Error{unavailable}
  // if too many files are mapped.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  ByteView bytes() const;
  const std::filesystem::path& path() const;

  // Error{input} if the file's size or time of change is not what it was when it was mapped, or if a page
  // of it was gone when it was read. To be called before anything is said about what was read. (A change
  // of some bytes within the clock tick of the opening, a few milliseconds, cannot be seen.)
  void check_unchanged() const;

 private:
  struct Mapping;
  std::unique_ptr<Mapping> mapping_;
};

}  // namespace repro

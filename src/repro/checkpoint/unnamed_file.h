#pragma once

#include <string>

#include "repro/base/bytes.h"

namespace repro {

// A temporary file without a name in the system's folder for them (TMPDIR): it is gone with the object,
// however the program ends. Not copyable. Not for several threads at once while it is written.
class UnnamedFile {
 public:
  // Error{unavailable} with folder, reason and what to do.
  UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile();

  void write(ByteView bytes);  // at the end; Error{unavailable} if the disk is full
  // All that has been written, mapped read-only; valid as long as the object. To be called once, last.
  ByteView map();

 private:
  [[noreturn]] void fail(int error_number) const;

  std::string folder_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  void* address_ = nullptr;
};

}  // namespace repro

#pragma once

#include <utility>

namespace repro {

// Owns a file descriptor and closes it; -1 is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }
  void reset();

 private:
  int value_ = -1;
};

// The same file under a number above 3 and closed on exec. A process that was started without standard
// streams gets 0 to 3 from open(): a message meant for standard error would go into a pipe, and dup2 to
// the child's numbers could overwrite a descriptor that is still needed. Not valid: errno says why.
Descriptor above_standard(Descriptor descriptor);

// Both ends are above 3 and closed on exec. Not valid (check both): errno says why.
struct Pipe {
  Descriptor read;
  Descriptor write;
};
Pipe make_pipe();

// Returns whether it worked.
bool set_nonblocking(const Descriptor& descriptor);

}  // namespace repro

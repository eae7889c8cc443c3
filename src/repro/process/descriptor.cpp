#include "repro/process/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace repro {

void Descriptor::reset() {
  if (value_ < 0) return;
  const int saved = errno;
  ::close(std::exchange(value_, -1));  // never repeated: Linux frees the number even on EINTR
  errno = saved;
}

Descriptor above_standard(Descriptor descriptor) {
  if (!descriptor || descriptor.get() > 3) return descriptor;
  return Descriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 4));
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  Descriptor read(ends[0]);
  Descriptor write(ends[1]);
  return {above_standard(std::move(read)), above_standard(std::move(write))};
}

bool set_nonblocking(const Descriptor& descriptor) {
  const int flags = ::fcntl(descriptor.get(), F_GETFL);
  return flags >= 0 && ::fcntl(descriptor.get(), F_SETFL, flags | O_NONBLOCK) == 0;
}

}  // namespace repro

#pragma once

#include <cstdint>
#include <string>

namespace repro {

struct SessionOptions {
  std::int64_t protocol = 0;
  std::string device;
};

// Speaks the worker's side of run/protocol.h: events on descriptor 3, run directories on standard input.
// Gives the exit status.
int serve(const SessionOptions& options);

}  // namespace repro

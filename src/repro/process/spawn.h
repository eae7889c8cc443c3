#pragma once

#include <sys/types.h>

#include "repro/process/descriptor.h"
#include "repro/process/process.h"

namespace repro {

// A child that has reached its program, and our ends of its pipes (non-blocking, closed on exec).
struct Spawned {
  pid_t id = -1;
  Descriptor input;   // written here, read by the child from 0
  Descriptor events;  // written by the child to 3, read here
  Descriptor ended;   // a pidfd, readable once the child has ended; none before Linux 5.3
};

// Starts it as the class Process says. Error{unavailable} with the reason if that fails; then there is
// no child.
Spawned spawn(const ProcessOptions& options);

}  // namespace repro

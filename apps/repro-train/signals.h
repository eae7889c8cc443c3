#pragma once

namespace repro {

// Turns SIGINT, SIGTERM and SIGHUP into a readable descriptor for the lifetime of the object; signals that
// the caller's caller ignores (nohup) stay ignored. A second signal ends the process at once with its exit
// code; children die with it. One object at a time.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  int descriptor() const;  // readable once a signal has arrived
  int received() const;    // the first signal, 0 = none
};

}  // namespace repro

#pragma once

#include <exception>
#include <string>
#include <utility>

namespace repro {

// What kind of trouble an Error reports. The mapping to exit codes lives in apps only.
enum class ErrorKind {
  request,      // the request is wrong: usage, spec, output directory, unsupported combination
  input,        // a file that the user named is missing, unreadable, truncated, malformed, tampered with
  unavailable,  // no verdict can be had: a run failed, a device is not there, the disk is full
  bug,          // an invariant of this program is broken
};

// The one exception type for trouble; verdicts are values. `message` names the thing, what was found
// and what is allowed, in one line without a final full stop; `hint` (may be empty) is the next step.
// Text that comes from files must have passed displayable() (base/text.h).
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::string hint = {})
      : kind_(kind), message_(std::move(message)), hint_(std::move(hint)) {
    what_ = hint_.empty() ? message_ : message_ + "; " + hint_;
  }
  ErrorKind kind() const noexcept { return kind_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::string hint_;
  std::string what_;
};

}  // namespace repro

#pragma once

#include <string>
#include <utility>

#include "repro/base/error.h"

namespace repro {

// Error{input} about `what`, a file or a part of one, already displayable.
[[noreturn]] inline void refuse(const std::string& what, const std::string& reason, std::string hint = {}) {
  throw Error(ErrorKind::input, what + ": " + reason, std::move(hint));
}

}  // namespace repro

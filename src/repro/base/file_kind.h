#pragma once

#include <string_view>

#include "repro/base/bytes.h"

namespace repro {

// What a file that should be something else seems to be, judged by its first bytes: "a Git LFS pointer, not
// the data itself", "an HTML or XML page", "a zip archive", ...; empty if nothing is recognised.
std::string_view recognised_kind(ByteView beginning);

}  // namespace repro

#pragma once

#include <string>

#include "repro/base/bytes.h"

namespace repro {

// How a file is to be read, judged by its content alone. What is cut off or damaged behind its first bytes
// still has its kind: its reader says what is wrong.
enum class FileKind { safetensors, zip, npy, json, other };
FileKind file_kind(ByteView bytes);

// Throws Error{input} for a file of kind `other`: what it seems to be, and what to do ("this is a Git LFS
// pointer, ...", a file of PyTorch before 1.6, an unfinished download, ...).
[[noreturn]] void refuse_kind(ByteView bytes, const std::string& what);

}  // namespace repro

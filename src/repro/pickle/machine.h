#pragma once

#include <string>

#include "repro/pickle/tree.h"

namespace repro {

// Reads a pickle of protocols 0 to 5 and executes nothing: what Python would import or call becomes a value
// that says so (PickleKind::global, call). The bytes must outlive the tree. Deep nesting, shared values and
// values that contain themselves are fine here; who walks the tree must expect them.
//
// Error{input} that starts with `what`, the byte's position and the opcode, for: anything malformed; bytes
// after STOP; text that is not UTF-8; a key that cannot be hashed or appears twice (Python would keep the
// last); the extension registry, persistent ids as text, buffers outside the pickle, and escapes of protocol
// 0, which are not supported; more than 2^30 bytes, 32 Mi values or 128 Mi elements; integers above 256
// bytes.
PickleTree read_pickle(ByteView bytes, const std::string& what);

}  // namespace repro

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repro/base/bytes.h"
#include "repro/tensor/tensor.h"

namespace repro {

// What the header of a .npy file (versions 1.0, 2.0, 3.0) says.
struct NpyHeader {
  std::optional<DType> dtype;  // nothing for element types that we cannot read; then:
  std::string foreign_dtype;   // its name, safe to show
  std::string reason;          // why, one line
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;
  std::uint64_t data_at = 0;  // where the data begins; it reaches to the end of the file
};

// How many bytes precede the data. `beginning` are the first 12 bytes of the file, or all of them if there
// are fewer. Error{input} if this is no .npy file, or of a version or length that is not read.
std::uint64_t npy_header_bytes(ByteView beginning, const std::string& what);

// `beginning` has at least the bytes that npy_header_bytes() says, of a file of `file_bytes`. Error{input}
// that starts with `what` if the header is malformed, or does not ask for exactly the bytes that follow it.
// Files with Python objects are pickles behind the header: nothing of them is looked at.
NpyHeader parse_npy_header(ByteView beginning, std::uint64_t file_bytes, const std::string& what);

}  // namespace repro

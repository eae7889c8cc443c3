#pragma once

#include <string>
#include <string_view>

#include "repro/tensor/tensor.h"

namespace repro {

// The dictionary that stands in the header of a .npy file.
struct NpyLiteral {
  std::string descr;        // the element type's name; of a structured type the Python text of its list
  bool structured = false;  // descr is not a plain name
  bool fortran_order = false;
  Shape shape;
};

// Reads Python's literal {'descr': ..., 'fortran_order': ..., 'shape': ...}: exactly these keys, in any
// order, each once; nothing but spaces, and a newline at the very end, may follow. No recursion. Error{input}
// that starts with `what` and names the byte.
NpyLiteral parse_npy_literal(std::string_view text, const std::string& what);

}  // namespace repro

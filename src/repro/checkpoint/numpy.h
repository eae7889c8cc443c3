#pragma once

#include <string>

#include "repro/checkpoint/checkpoint.h"
#include "repro/checkpoint/zip.h"

namespace repro {

// NumPy's files. Elements of either byte order and of C or Fortran order are read where they lie. An array
// of a type that we cannot read (strings, dates, records, Python objects) is an item with its reason.

// The name of the item of a single .npy file, which holds none.
constexpr const char* npy_item_name = "array";

// One array. Error{input} that starts with `what`.
void read_npy(ByteView bytes, const std::string& what, Checkpoint& out);

// An archive of arrays: each member <name>.npy is the item <name>. Other members are left out, with one
// remark. Of a deflated member only the header is inflated now. Error{input} that starts with `what`.
bool is_npz(const ZipArchive& archive);  // it holds a .npy file, or nothing at all
void read_npz(const ZipArchive& archive, const std::string& what, Checkpoint& out);

}  // namespace repro

#pragma once

#include <string>
#include <vector>

#include "repro/base/bytes.h"
#include "repro/checkpoint/zip_directory.h"

namespace repro {

// Where the data of each entry lies, in the directory's order. Error{input} that starts with `what`, unless
// local headers, data and descriptors follow each other from the first byte of the file to the directory
// without a hole or an overlap, and every local header and descriptor agrees with its entry.
std::vector<ByteView> locate_zip_members(ByteView bytes, const ZipDirectory& directory,
                                         const std::string& what);

}  // namespace repro

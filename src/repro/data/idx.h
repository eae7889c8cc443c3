#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "repro/base/bytes.h"
#include "repro/data/images.h"

namespace repro {

// MNIST's file format: big-endian 32-bit magic number (0x00000803 for images, 0x00000801 for
// labels), a 32-bit size per dimension, then one unsigned byte per element, row-major. Plain or
// gzip-compressed. http://yann.lecun.com/exdb/mnist/

inline constexpr std::uint64_t idx_size_limit = std::uint64_t{1} << 32;  // bytes of all elements
inline constexpr std::int64_t idx_side_limit = 4096;                     // rows, columns
inline constexpr std::uint8_t idx_largest_label = 9;

struct IdxImageHeader {
  std::int64_t count = 0;  // each >= 1
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

// The functions below take a file's contents and its name, already displayable, for messages. Each
// throws Error{input} with the name, what was found and what is expected, for: a wrong magic number
// (telling an image from a label file, and naming common other formats, such as an HTML page), zero
// dimensions, sizes that the file cannot hold (found before anything is allocated), elements
// missing or left over at the end, damaged or incomplete gzip data.

// Reads the header only; of a compressed file only the first bytes are decompressed.
IdxImageHeader read_idx_image_header(ByteView file, const std::string& name);

// The whole file is checked; the first `limit` images are kept (all without). `labels` stays empty.
ImageSet read_idx_images(ByteView file, const std::string& name, std::optional<std::int64_t> limit = {});

// Labels must be in [0, 9].
std::vector<std::uint8_t> read_idx_labels(ByteView file, const std::string& name);

// As read_idx_image_header, of a file. Only its beginning is read.
IdxImageHeader read_idx_header_of(const std::filesystem::path& images);

// Images and their labels. Error{input} as above, for a missing or unreadable file, for counts that
// differ, and for a limit above the count. Precondition: limit >= 1.
ImageSet read_idx_set(const std::filesystem::path& images, const std::filesystem::path& labels,
                      std::optional<std::int64_t> limit);

}  // namespace repro

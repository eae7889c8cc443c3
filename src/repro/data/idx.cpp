#include "repro/data/idx.h"

#include <algorithm>

#include "repro/base/error.h"
#include "repro/base/file_kind.h"
#include "repro/base/files.h"
#include "repro/base/mapped_file.h"
#include "repro/base/text.h"
#include "repro/data/gzip_reader.h"

namespace repro {
namespace {

constexpr std::uint32_t image_magic = 0x803;
constexpr std::uint32_t label_magic = 0x801;

[[noreturn]] void fail(const GzipReader& reader, const std::string& reason,
                       const std::string& hint = "fetch the file again") {
  throw Error(ErrorKind::input, "cannot read " + reader.name() + ": " + reason, hint);
}

std::string_view kind_of_magic(std::uint32_t magic) {
  return magic == image_magic ? "an image file" : "a label file";
}

// `header` is what has been read so far.
[[noreturn]] void fail_for_magic(GzipReader& reader, ByteView header, std::uint32_t found,
                                 std::uint32_t expected) {
  const std::string wanted =
      std::string(kind_of_magic(expected)) + " (IDX, magic 0x" + hex_of(expected) + ") is expected";
  const std::string with_magic = " (magic 0x" + hex_of(found) + ")";
  if (found == image_magic || found == label_magic) {
    fail(reader, "this is " + std::string(kind_of_magic(found)) + with_magic + ", " + wanted,
         "swap /data/images and /data/labels?");
  }
  Bytes beginning(header.begin(), header.end());
  beginning.resize(header.size() + 64);
  beginning.resize(header.size() + reader.read(std::span(beginning).subspan(header.size())));
  const std::string_view kind = recognised_kind(beginning);
  if (!kind.empty()) fail(reader, "this is " + std::string(kind) + ", " + wanted);
  if (found >> 16 == 0 && (found & 0xFF) != 0) {
    fail(reader,
         "this is an IDX file of another element type or number of dimensions" + with_magic + ", " + wanted);
  }
  fail(reader, "this is not an IDX file" + with_magic + ", " + wanted);
}

std::uint32_t big_endian(ByteView bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  }
  return value;
}

// Reads and checks the magic number, then returns the sizes of the dimensions.
std::vector<std::uint64_t> read_header(GzipReader& reader, std::uint32_t expected) {
  const std::size_t dimensions = expected & 0xFF;
  const std::size_t size = 4 + 4 * dimensions;
  std::array<std::byte, 16> buffer{};
  const std::size_t found = reader.read(std::span(buffer).first(size));
  const ByteView header = ByteView(buffer).first(found);
  if (found == 0) {
    fail(reader, reader.compressed() ? "nothing is in this gzip file" : "the file is empty");
  }
  if (found >= 4 && big_endian(header, 0) != expected) {
    fail_for_magic(reader, header, big_endian(header, 0), expected);
  }
  if (found < size) {
    fail(reader, "the file ends after " + std::to_string(found) + " bytes, " +
                     std::string(kind_of_magic(expected)) + " starts with a header of " +
                     std::to_string(size));
  }
  std::vector<std::uint64_t> sizes;
  for (std::size_t d = 0; d < dimensions; ++d) sizes.push_back(big_endian(header, 4 + 4 * d));
  return sizes;
}

// Checks `what` (for instance "60,000 images of 28x28") against what the file can hold at all.
// `count` * `each` is the number of bytes after the header; each <= 2^24.
void check_capacity(const GzipReader& reader, const std::string& what, std::uint64_t count,
                    std::uint64_t each, std::uint64_t header_size) {
  const std::uint64_t body = count * each;  // at most 2^32 * 2^24
  const std::string needed = what + " need " + thousands(header_size + body) + " bytes with the header";
  if (body > idx_size_limit) {
    fail(reader, needed + ", at most " + thousands(idx_size_limit + header_size) + " are allowed",
         "use a smaller file");
  }
  if (reader.compressed()) {
    if (header_size + body > reader.capacity()) {
      fail(reader, needed + ", this gzip file can hold at most " + thousands(reader.capacity()));
    }
  } else if (header_size + body != reader.capacity()) {
    fail(reader, needed + ", the file has " + thousands(reader.capacity()));
  }
}

IdxImageHeader read_image_header(GzipReader& reader) {
  const std::vector<std::uint64_t> sizes = read_header(reader, image_magic);
  const std::string shape = std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
  const std::string what = thousands(sizes[0]) + " images of " + shape;
  if (sizes[0] == 0) fail(reader, "the file says that it holds 0 images, 1 or more are needed");
  constexpr auto limit = static_cast<std::uint64_t>(idx_side_limit);
  for (const std::uint64_t side : {sizes[1], sizes[2]}) {
    if (side == 0 || side > limit) {
      fail(reader, what + ": rows and columns must be in [1, " + thousands(idx_side_limit) + "]");
    }
  }
  check_capacity(reader, what, sizes[0], sizes[1] * sizes[2], 16);
  return {static_cast<std::int64_t>(sizes[0]), static_cast<std::int64_t>(sizes[1]),
          static_cast<std::int64_t>(sizes[2])};
}

// Reads the body of `size` bytes, of which the first `keep` are returned, and checks that the file
// ends there. Memory grows with what has really been read.
std::vector<std::uint8_t> read_body(GzipReader& reader, std::uint64_t size, std::uint64_t keep,
                                    std::uint64_t header_size) {
  constexpr std::uint64_t chunk = std::uint64_t{1} << 20;
  std::vector<std::uint8_t> out;
  if (!reader.compressed()) out.reserve(keep);  // bounded by the file's real size
  while (out.size() < keep) {
    const std::size_t before = out.size();
    out.resize(before + std::min(chunk, keep - before));
    const std::size_t n = reader.read(std::as_writable_bytes(std::span(out).subspan(before)));
    out.resize(before + n);
    if (n == 0) break;
  }
  const std::uint64_t found = out.size() + reader.skip_rest();
  if (found != size) {
    fail(reader, "the header promises " + thousands(header_size + size) +
                     " bytes, the decompressed file has " + thousands(header_size + found));
  }
  return out;
}

// Runs `read` and tells where in the spec the file was named if it cannot be opened.
template <class Read>
auto with_hint(const char* pointer, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(),
                std::string("see ") + pointer + " in the spec; relative paths start from the spec's folder");
  }
}

Bytes read_named(const std::filesystem::path& path, const char* pointer) {
  return with_hint(pointer, [&] { return read_file(path, idx_size_limit + 16); });
}

}  // namespace

IdxImageHeader read_idx_image_header(ByteView file, const std::string& name) {
  GzipReader reader(file, name);
  return read_image_header(reader);
}

ImageSet read_idx_images(ByteView file, const std::string& name, std::optional<std::int64_t> limit) {
  GzipReader reader(file, name);
  const IdxImageHeader header = read_image_header(reader);
  const std::int64_t count = limit.value_or(header.count);
  if (count > header.count) {
    fail(reader,
         "/data/limit asks for " + thousands(count) + " images, the file holds " + thousands(header.count),
         "lower the limit or leave it out");
  }
  const auto each = static_cast<std::uint64_t>(header.rows * header.columns);
  ImageSet set;
  set.count = count;
  set.rows = header.rows;
  set.columns = header.columns;
  set.pixels = read_body(reader, static_cast<std::uint64_t>(header.count) * each,
                         static_cast<std::uint64_t>(count) * each, 16);
  return set;
}

std::vector<std::uint8_t> read_idx_labels(ByteView file, const std::string& name) {
  GzipReader reader(file, name);
  const std::uint64_t count = read_header(reader, label_magic)[0];
  if (count == 0) fail(reader, "the file says that it holds 0 labels, 1 or more are needed");
  check_capacity(reader, thousands(count) + " labels", count, 1, 8);
  std::vector<std::uint8_t> labels = read_body(reader, count, count, 8);
  const auto bad = std::find_if(labels.begin(), labels.end(),
                                [](std::uint8_t label) { return label > idx_largest_label; });
  if (bad != labels.end()) {
    fail(reader,
         "label " + thousands(std::int64_t{bad - labels.begin()}) + " (counted from 0) is " +
             std::to_string(*bad) + ", labels must be in [0, 9]",
         "use a label file of ten classes");
  }
  return labels;
}

IdxImageHeader read_idx_header_of(const std::filesystem::path& images) {
  const MappedFile file = with_hint("/data/images", [&] { return MappedFile(images); });
  return read_idx_image_header(file.bytes(), displayable(images.string()));
}

ImageSet read_idx_set(const std::filesystem::path& images, const std::filesystem::path& labels,
                      std::optional<std::int64_t> limit) {
  const std::string image_name = displayable(images.string());
  const std::string label_name = displayable(labels.string());
  const Bytes image_file = read_named(images, "/data/images");
  const Bytes label_file = read_named(labels, "/data/labels");
  const std::int64_t count = read_idx_image_header(image_file, image_name).count;
  std::vector<std::uint8_t> all_labels = read_idx_labels(label_file, label_name);
  const auto label_count = static_cast<std::int64_t>(all_labels.size());
  if (count != label_count) {
    throw Error(ErrorKind::input,
                "images and labels do not belong together: " + image_name + " holds " +
                    plural(count, "image") + ", " + label_name + " holds " + plural(label_count, "label"),
                "name the label file that came with the images");
  }
  ImageSet set = read_idx_images(image_file, image_name, limit);
  all_labels.resize(static_cast<std::size_t>(set.count));
  set.labels = std::move(all_labels);
  return set;
}

}  // namespace repro

#include "repro/base/file_kind.h"

#include <array>
#include <string>

namespace repro {
namespace {

using namespace std::string_view_literals;

struct Kind {
  std::string_view beginning;
  std::string_view name;
};

constexpr std::array<Kind, 14> kinds = {{
    {"version https://git-lfs"sv, "a Git LFS pointer, not the data itself"sv},
    {"PK\x03\x04"sv, "a zip archive"sv},
    {"PK\x05\x06"sv, "an empty zip archive"sv},
    {"\x1F\x8B"sv, "a gzip archive"sv},
    {"\xFD\x37zXZ\x00"sv, "an xz archive"sv},
    {"BZh"sv, "a bzip2 archive"sv},
    {"\x28\xB5\x2F\xFD"sv, "a zstd archive"sv},
    {"\x1F\x9D"sv, "a compress (.Z) archive"sv},
    {"\x89PNG"sv, "a PNG picture"sv},
    {"\x89HDF\r\n\x1A\n"sv, "an HDF5 file"sv},
    {"GGUF"sv, "a GGUF file"sv},
    {"\x93NUMPY"sv, "a NumPy array"sv},
    {"\x03\x08\x00\x00"sv, "an IDX file with its bytes in little-endian order"sv},
    {"\x00\x00\x08\x03"sv, "an IDX file"sv},
}};

std::string_view without_leading_space(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

}  // namespace

std::string_view recognised_kind(ByteView beginning) {
  const std::string_view text = as_text(beginning);
  for (const Kind& kind : kinds) {
    if (text.starts_with(kind.beginning)) return kind.name;
  }
  return without_leading_space(text).starts_with('<') ? "an HTML or XML page"sv : ""sv;
}

}  // namespace repro

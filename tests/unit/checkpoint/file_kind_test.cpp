#include "repro/checkpoint/file_kind.h"

#include <catch2/catch_test_macros.hpp>

#include "repro/checkpoint/checkpoint.h"
#include "unit/checkpoint/refusal.h"
#include "unit/checkpoint/zip_builder.h"

namespace {

using namespace repro;
using namespace repro::test;

std::string refusal_of(std::string_view text) {
  return refusal([&] { parse_checkpoint(as_byte_view(text), "x.pt"); });
}

std::string text_of(std::initializer_list<int> bytes) {
  std::string out;
  for (const int b : bytes) out += static_cast<char>(b);
  return out;
}

TEST_CASE("what is no checkpoint is called by its name, with the next step") {
  const std::string magic =
      text_of({0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19, '.'});
  std::string tar(1024, '\0');
  tar.replace(0, 8, "sys_info");
  tar.replace(257, 5, "ustar");
  const std::pair<std::string, const char*> cases[] = {
      {"", "this is an empty file; a checkpoint is expected; is the download complete?"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:",
       "this is a Git LFS pointer, not the data itself"},
      {"version https://git-lfs.github.com/spec/v1\n", "fetch the file with git lfs pull"},
      {"<!DOCTYPE html><html>", "this is an HTML or XML page"},
      {"\n  <?xml version", "this is an HTML or XML page"},
      {text_of({0x80, 2}) + magic, "this is a file of torch.save in the format before PyTorch 1.6"},
      {text_of({0x80, 2}) + magic, "load it with torch.load and write it again with torch.save"},
      {text_of({0x80, 4, 0x95, 14, 0, 0, 0, 0, 0, 0, 0}) + magic, "in the format before PyTorch 1.6"},
      {text_of({0x80, 4, 0x95, 14, 0}) + "hello", "this is a plain pickle, which is never loaded"},
      {tar, "this is a tar archive, as PyTorch before 0.2 wrote"},
      {text_of({0x89}) + "HDF\r\n\x1A\n....", "this is an HDF5 file"},
      {"GGUF\x03", "this is a GGUF file; a checkpoint is expected; safetensors, .pt of PyTorch since 1.6"},
      {text_of({0x1F, 0x8B, 8}), "this is a gzip archive; a checkpoint is expected; unpack it first"},
      {text_of({0xFD}) + "7zXZ" + text_of({0, 0}), "this is an xz archive"},
      {text_of({0x28, 0xB5, 0x2F, 0xFD}), "this is a zstd archive"},
      {std::string(5000, '\0'),
       "this is a file that begins with bytes of zero; a checkpoint is expected; is the "},
      {std::string(3, '\0'), "this is a file that begins with bytes of zero"},
      {std::string(100, '\0') + "data", "this is a file that begins with bytes of zero"},
      {"hello", "this is no checkpoint of a known format (it begins with the bytes 68656c6c6f)"},
      {"[1]", "this is JSON, at most an index of shards, which is read together with its files only"},
      {" {\"weight_map\": {}}", "this is JSON, at most an index of shards"},
  };
  for (const auto& [text, message] : cases) {
    CAPTURE(message);
    const std::string found = refusal_of(text);
    CHECK(found.starts_with("x.pt: this is "));
    check_contains(found, message);
  }
}

TEST_CASE("zip archives of other things are refused") {
  const Bytes zip = build_zip({{"readme.txt", bytes_of_text("x")}}).bytes;
  check_contains(refusal([&] { parse_checkpoint(zip, "x.zip"); }),
                 "x.zip: this is a zip archive without PyTorch's <name>/data.pkl and without .npy files");
}

TEST_CASE("a download that was cut is still known for what it is") {
  const std::string header = R"({"w":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})";
  Bytes file;
  append(file, std::uint64_t{header.size()});
  const Bytes rest = bytes_of_text(header + "123456789");
  file.insert(file.end(), rest.begin(), rest.end());
  CHECK(file_kind(file) == FileKind::safetensors);
  CHECK(parse_checkpoint(file, "x").items.at(0).name == "w");
  for (std::size_t size = 9; size < file.size(); ++size) {
    const ByteView cut = ByteView(file).first(size);
    CHECK(file_kind(cut) == FileKind::safetensors);
    check_contains(refusal([&] { parse_checkpoint(cut, "x"); }), "is the file complete?");
  }
}

TEST_CASE("formats have names") {
  CHECK(name_of(CheckpointFormat::safetensors) == "safetensors");
  CHECK(name_of(CheckpointFormat::folder) == "folder");
  CHECK(name_of(CheckpointFormat::sharded) == "sharded");
}

}  // namespace

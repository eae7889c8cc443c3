#include <catch2/catch_test_macros.hpp>

#include "unit/checkpoint/checkpoint_files.h"
#include "unit/checkpoint/refusal.h"
#include "unit/checkpoint/zip_builder.h"

namespace {

using namespace repro;
using namespace repro::test;

TEST_CASE("a folder of several files qualifies its names, one of a single file need not") {
  const TemporaryFolder folder;
  write_tensors(folder / "b.safetensors", {"w"});
  write_file(folder / "readme.md", std::string_view("hello"));
  Checkpoint c = open_checkpoint(folder.path());
  CHECK(c.format == CheckpointFormat::folder);
  CHECK(names_of(c) == "w");
  CHECK(count_checkpoint_files(folder.path()) == 1);
  REQUIRE(c.remarks.size() == 1);
  CHECK(c.remarks[0] == "1 other file in the folder, no checkpoints, not looked at");
  OpenOptions qualified;
  qualified.qualify_names = true;
  CHECK(names_of(open_checkpoint(folder.path(), qualified)) == "b.safetensors:w");

  write_tensors(folder / "B.safetensors", {"w"});
  write_tensors(folder / "sub/deep/a.safetensors", {"w", "v"});
  c = open_checkpoint(folder.path());
  CHECK(names_of(c) == "B.safetensors:w b.safetensors:w sub/deep/a.safetensors:w sub/deep/a.safetensors:v");
  CHECK(count_checkpoint_files(folder.path()) == 3);
  CHECK(c.files.size() == 3);
}

TEST_CASE("checkpoints are found by content, and by name if they are damaged") {
  const TemporaryFolder folder;
  write_tensors(folder / "weights", {"w"});
  write_file(folder / "array.data", npy_file(npy_dictionary("|u1", "(1,)"), Bytes(1)));
  write_file(folder / "arrays.zip",
             build_zip({{"x.npy", npy_file(npy_dictionary("|u1", "(1,)"), Bytes(1))}}).bytes);
  write_file(folder / "source.zip", build_zip({{"main.c", {}}}).bytes);
  write_file(folder / "cut.zip", std::string_view("PK\x03\x04"));
  write_file(folder / "config.json", std::string_view("{\"a\":1}"));
  write_file(folder / "broken.json", std::string_view("{\"a\":"));
  write_file(folder / "empty", std::string_view(""));
  const Checkpoint c = open_checkpoint(folder.path());
  CHECK(names_of(c) == "array.data:array arrays.zip:x weights:w");
  CHECK(c.remarks.back() == "5 other files in the folder, no checkpoints, not looked at");
  for (const char* name : {"x.pt", "x.pth", "x.ckpt", "x.bin", "x.npz", "x.npy", "x.safetensors"}) {
    write_file(folder / name, std::string_view("damaged"));
    check_contains(refusal([&] { open_checkpoint(folder.path()); }),
                   std::string(name) + ": this is no checkpoint of a known format");
    OpenOptions options;
    options.skip_file = [&](const std::string& relative) { return relative == name; };
    CHECK(open_checkpoint(folder.path(), options).items.size() == 3);
    fs::remove(folder / name);
  }
}

TEST_CASE("a shard set counts as one file") {
  const TemporaryFolder folder;
  write_tensors(folder / "m/one.safetensors", {"a"});
  write_tensors(folder / "m/two.safetensors", {"b"});
  write_file(folder / "m/model.index.json",
             std::string_view(R"({"weight_map":{"a":"one.safetensors","b":"two.safetensors"}})"));
  CHECK(count_checkpoint_files(folder.path()) == 1);
  CHECK(names_of(open_checkpoint(folder.path())) == "a b");
  write_tensors(folder / "m/three.safetensors", {"a"});
  CHECK(count_checkpoint_files(folder.path()) == 2);
  CHECK(names_of(open_checkpoint(folder.path())) ==
        "m/model.index.json:a m/model.index.json:b m/three.safetensors:a");
  fs::remove(folder / "m/two.safetensors");
  check_contains(refusal([&] { open_checkpoint(folder.path()); }), "two.safetensors: No such file");
  write_file(folder / "m/model.index.json", std::string_view(R"({"weight_map":{"a":"../x"}})"));
  check_contains(refusal([&] { open_checkpoint(folder.path()); }), "it leaves the folder of the index");
}

TEST_CASE("hidden files and links to folders are passed over, links to files followed") {
  const TemporaryFolder folder, other;
  write_tensors(other / "blob", {"w"});
  write_tensors(other / "more/x.safetensors", {"w"});
  write_tensors(folder / ".hidden/x.safetensors", {"h"});
  write_tensors(folder / ".hidden.safetensors", {"h"});
  fs::create_symlink(other / "blob", folder / "model.safetensors");
  fs::create_directory_symlink(other.path(), folder / "loop");
  CHECK(names_of(open_checkpoint(folder.path())) == "w");
  fs::create_symlink(other / "gone", folder / "gone");
  CHECK(names_of(open_checkpoint(folder.path())) == "w");
  fs::create_symlink(other / "gone", folder / "gone.pt");
  check_contains(refusal([&] { open_checkpoint(folder.path()); }), "gone.pt: No such file or directory");
}

TEST_CASE("a folder without checkpoints, and names that would collide, are refused") {
  const TemporaryFolder folder;
  check_contains(refusal([&] { open_checkpoint(folder.path()); }),
                 ": the folder holds no checkpoint, 0 other files found");
  write_tensors(folder / "a", {"b:c"});
  write_tensors(folder / "a:b", {"c"});
  check_contains(refusal([&] { open_checkpoint(folder.path()); }), "two tensors would be named 'a:b:c'");
  check_contains(refusal([&] { open_checkpoint(folder / "nothing"); }), "No such file or directory");
}

TEST_CASE("metadata and remarks keep their file's name") {
  const TemporaryFolder folder;
  write_tensors(folder / "a.safetensors", {"w"});
  write_file(folder / "b.npz",
             build_zip({{"x", {}}, {"y.npy", npy_file(npy_dictionary("|u1", "(1,)"), Bytes(1))}}).bytes);
  const Checkpoint c = open_checkpoint(folder.path());
  CHECK(c.metadata == std::map<std::string, std::string>{{"a.safetensors:format", "pt"}});
  REQUIRE(c.remarks.size() == 1);
  CHECK(c.remarks[0] == "b.npz: 1 member without the ending .npy left out, the first is 'x'");
}

}  // namespace

#include "repro/data/idx.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "idx_files.h"
#include "repro/base/error.h"
#include "repro/base/files.h"

namespace repro {
namespace {

using test::gzipped;
using test::idx_file;

Bytes small_images() { return idx_file(0x803, {3, 4, 5}, 60); }
Bytes small_labels() { return idx_file(0x801, {3}, 3); }
Bytes with_trailer(Bytes file, std::string_view text) {
  const ByteView bytes = as_byte_view(text);
  file.insert(file.end(), bytes.begin(), bytes.end());
  return file;
}

// The message of the Error{input} that `call` throws; "" if it throws none.
std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    CHECK_FALSE(error.hint().empty());
    return error.message();
  }
  return "";
}
std::string images_message(const Bytes& file) {
  return message_of([&] { read_idx_images(file, "f"); });
}
std::string labels_message(const Bytes& file) {
  return message_of([&] { read_idx_labels(file, "f"); });
}

TEST_CASE("images and labels are read, plain or compressed") {
  const Bytes plain = small_images();
  for (const Bytes& file : {plain, gzipped(plain)}) {
    const ImageSet set = read_idx_images(file, "f");
    CHECK(set.count == 3);
    CHECK(set.rows == 4);
    CHECK(set.columns == 5);
    REQUIRE((set.pixels.size() == 60));
    CHECK((set.pixels[59] == 59));
    const ImageSet two = read_idx_images(file, "f", 2);
    CHECK(two.count == 2);
    CHECK(std::equal(two.pixels.begin(), two.pixels.end(), set.pixels.begin()));
    CHECK((two.pixels.size() == 40));
  }
  CHECK(read_idx_labels(gzipped(small_labels()), "f") == std::vector<std::uint8_t>{0, 1, 2});
}

TEST_CASE("several gzip members are one file") {
  const Bytes plain = small_images();
  Bytes members = gzipped(ByteView(plain).first(10));
  const Bytes rest = gzipped(ByteView(plain).subspan(10));
  members.insert(members.end(), rest.begin(), rest.end());
  CHECK((read_idx_images(members, "f").pixels == read_idx_images(plain, "f").pixels));
}

TEST_CASE("every truncated prefix of a valid file is an error") {
  for (const Bytes& file : {small_images(), gzipped(small_images())}) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      REQUIRE_FALSE(images_message(Bytes(file.begin(), file.begin() + size)).empty());
    }
    CHECK(images_message(file).empty());
  }
  for (const Bytes& file : {small_labels(), gzipped(small_labels())}) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      REQUIRE_FALSE(labels_message(Bytes(file.begin(), file.begin() + size)).empty());
    }
    CHECK(labels_message(file).empty());
  }
}

TEST_CASE("every changed bit of a compressed file is an error or changes nothing") {
  const Bytes file = gzipped(small_images());
  const ImageSet expected = read_idx_images(file, "f");
  int errors = 0;
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    Bytes changed = file;
    changed[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    ImageSet found = expected;
    if (!message_of([&] { found = read_idx_images(changed, "f"); }).empty()) ++errors;
    REQUIRE((found.pixels == expected.pixels));  // some header bits have no meaning for us
  }
  CHECK(errors > static_cast<int>(8 * file.size()) - 100);
}

TEST_CASE("too short and too long bodies name both sizes") {
  CHECK(images_message(idx_file(0x803, {3, 4, 5}, 59)) ==
        "cannot read f: 3 images of 4x5 need 76 bytes with the header, the file has 75");
  CHECK(images_message(idx_file(0x803, {3, 4, 5}, 61)) ==
        "cannot read f: 3 images of 4x5 need 76 bytes with the header, the file has 77");
  CHECK(images_message(gzipped(idx_file(0x803, {3, 4, 5}, 59))) ==
        "cannot read f: the header promises 76 bytes, the decompressed file has 75");
  CHECK(images_message(gzipped(idx_file(0x803, {3, 4, 5}, 61))) ==
        "cannot read f: the header promises 76 bytes, the decompressed file has 77");
  CHECK(labels_message(idx_file(0x801, {4}, 3)) ==
        "cannot read f: 4 labels need 12 bytes with the header, the file has 11");
}

TEST_CASE("a wrong magic number says what was found") {
  CHECK(images_message(small_labels()) ==
        "cannot read f: this is a label file (magic 0x00000801), an image file (IDX, magic "
        "0x00000803) is expected");
  CHECK(labels_message(gzipped(small_images())) ==
        "cannot read f: this is an image file (magic 0x00000803), a label file (IDX, magic "
        "0x00000801) is expected");
  CHECK(images_message(idx_file(0xD03, {3, 4, 5}, 240)).find("another element type") != std::string::npos);
  CHECK(images_message(idx_file(0x12345678, {3, 4, 5}, 60)).find("not an IDX file") != std::string::npos);
}

TEST_CASE("files of other kinds are recognised") {
  const auto message = [](std::string_view text) {
    const ByteView bytes = as_byte_view(text);
    return images_message(Bytes(bytes.begin(), bytes.end()));
  };
  CHECK(message("") == "cannot read f: the file is empty");
  CHECK(message("version https://git-lfs.github.com/spec/v1\n").find("a Git LFS pointer") !=
        std::string::npos);
  CHECK(message("\n<!DOCTYPE html><html>").find("an HTML or XML page") != std::string::npos);
  CHECK(message("PK\x03\x04 and more").find("a zip archive") != std::string::npos);
}

TEST_CASE("sizes that cannot be are refused before anything is allocated") {
  CHECK(images_message(idx_file(0x803, {0, 4, 5}, 0)).find("0 images, 1 or more") != std::string::npos);
  CHECK(images_message(idx_file(0x803, {3, 0, 5}, 0)).find("must be in [1, 4,096]") != std::string::npos);
  CHECK(images_message(idx_file(0x803, {3, 4, 0xFFFFFFFF}, 60)).find("must be in [1, 4,096]") !=
        std::string::npos);
  CHECK(images_message(idx_file(0x803, {0xFFFFFFFF, 4096, 4096}, 60)).find("are allowed") !=
        std::string::npos);
  // 4 GB that a gzip file of a few bytes cannot hold.
  CHECK(images_message(gzipped(idx_file(0x803, {256, 4096, 4096}, 60)))
            .find("this gzip file can hold at most") != std::string::npos);
  CHECK(labels_message(idx_file(0x801, {0}, 0)).find("0 labels, 1 or more") != std::string::npos);
}

TEST_CASE("damaged gzip data says how it is damaged") {
  const Bytes good = gzipped(small_images());
  Bytes wrong_crc = good;
  wrong_crc[good.size() - 8] ^= std::byte{1};
  CHECK(images_message(wrong_crc) == "cannot read f: the gzip data is damaged: wrong CRC-32");
  Bytes wrong_length = good;
  wrong_length[good.size() - 4] ^= std::byte{1};
  CHECK(images_message(wrong_length) == "cannot read f: the gzip data is damaged: wrong length");
  CHECK(images_message(Bytes(good.begin(), good.end() - 1)) == "cannot read f: the gzip data is cut off");
  CHECK(images_message(with_trailer(good, "abc")) ==
        "cannot read f: 3 bytes follow the end of the gzip data, none are allowed");
  CHECK(images_message(gzipped({})) == "cannot read f: nothing is in this gzip file");
}

TEST_CASE("labels above 9 are out of range") {
  CHECK(labels_message(idx_file(0x801, {10}, 10)).empty());
  CHECK(labels_message(idx_file(0x801, {11}, 11)) ==
        "cannot read f: label 10 (counted from 0) is 10, labels must be in [0, 9]");
}

TEST_CASE("a limit above the count names both") {
  CHECK(read_idx_images(small_images(), "f", 3).count == 3);
  CHECK(message_of([] { read_idx_images(small_images(), "f", 4); }) ==
        "cannot read f: /data/limit asks for 4 images, the file holds 3");
}

TEST_CASE("a set needs as many labels as images, and files that are there") {
  const fs::path folder = fs::temp_directory_path() / ("idx_test_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path images = folder / "images";
  const fs::path labels = folder / "labels.gz";
  write_file(images, small_images());
  write_file(labels, gzipped(small_labels()));
  CHECK(read_idx_set(images, labels, 2).labels == std::vector<std::uint8_t>{0, 1});
  CHECK(read_idx_header_of(images).columns == 5);

  write_file(labels, idx_file(0x801, {4}, 4));
  CHECK(message_of([&] { read_idx_set(images, labels, {}); }) ==
        "images and labels do not belong together: " + images.string() + " holds 3 images, " +
            labels.string() + " holds 4 labels");
  CHECK(message_of([&] { read_idx_set(folder / "none", labels, {}); }) ==
        "cannot read " + (folder / "none").string() + ": No such file or directory");
  CHECK(message_of([&] { read_idx_header_of(folder); }) ==
        "cannot read " + folder.string() + ": it is a folder");
  fs::remove_all(folder);
}

TEST_CASE("a compressed header is read without the rest") {
  Bytes file = gzipped(idx_file(0x803, {1000, 28, 28}, 784000));
  file.resize(file.size() / 2);
  CHECK(read_idx_image_header(file, "f").count == 1000);
  CHECK_FALSE(images_message(file).empty());
}

}  // namespace
}  // namespace repro

#include "repro/base/mapped_file.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <fstream>

#include "repro/base/error.h"
#include "support/temporary_folder.h"

namespace {

using namespace repro;
namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
std::string refusal(const MappedFile& file) {
  try {
    file.check_unchanged();
    return "";
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
}
std::uint64_t sum_of(ByteView bytes) {
  std::uint64_t sum = 0;
  for (const std::byte byte : bytes) sum += std::to_integer<std::uint64_t>(byte);
  return sum;
}
// So that a change within a clock tick is seen all the same.
void set_back(const fs::path& path) {
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::seconds(10));
}

TEST_CASE("a file that nobody touches is unchanged") {
  const TemporaryFolder folder;
  write(folder / "a", std::string(100000, 'x'));
  const MappedFile file(folder / "a");
  CHECK(sum_of(file.bytes()) == 100000 * std::uint64_t{'x'});
  CHECK(refusal(file).empty());
  write(folder / "empty", "");
  const MappedFile empty(folder / "empty");
  CHECK(empty.bytes().empty());
  CHECK(refusal(empty).empty());
}

TEST_CASE("a file that is cut while it is mapped reads as zeros, and is said to have changed") {
  const TemporaryFolder folder;
  write(folder / "a", std::string(1 << 20, 'x'));
  const MappedFile file(folder / "a");
  const MappedFile other(folder / "a");
  fs::resize_file(folder / "a", 5000);
  // The page that holds the end keeps its bytes or zeros; what lies behind it is gone.
  CHECK(sum_of(file.bytes().subspan(8192)) == 0);
  CHECK(sum_of(other.bytes().last(1)) == 0);
  CHECK(refusal(file).find("1,048,576 bytes when it was opened, now it has 5,000") != std::string::npos);
  SECTION("even if it has its old size and time again") {
    const auto before = fs::last_write_time(folder / "a");
    fs::resize_file(folder / "a", 1 << 20);
    fs::last_write_time(folder / "a", before);
    CHECK_FALSE(refusal(file).empty());
  }
}

TEST_CASE("a file that grows, or is written to, has changed") {
  const TemporaryFolder folder;
  write(folder / "a", "abc");
  set_back(folder / "a");
  const MappedFile file(folder / "a");
  CHECK(refusal(file).empty());
  SECTION("longer") { write(folder / "a", "abcd"); }
  SECTION("of the same size") { write(folder / "a", "abd"); }
  SECTION("empty") { write(folder / "a", ""); }
  CHECK(refusal(file).find("changed while it was read") != std::string::npos);
}

TEST_CASE("a file that is replaced by another one stays what it was") {
  const TemporaryFolder folder;
  write(folder / "a", "old");
  write(folder / "b", "new");
  const MappedFile file(folder / "a");
  fs::rename(folder / "b", folder / "a");
  CHECK(as_text(file.bytes()) == "old");
  CHECK(refusal(file).empty());
}

TEST_CASE("mappings can be moved, and more files opened than the soft limit allows") {
  const TemporaryFolder folder;
  write(folder / "a", "abc");
  MappedFile first(folder / "a");
  MappedFile second = std::move(first);
  CHECK(as_text(second.bytes()) == "abc");
  std::vector<MappedFile> many;
  for (int i = 0; i < 2000; ++i) many.emplace_back(folder / "a");
  CHECK(as_text(many.back().bytes()) == "abc");
}

TEST_CASE("what is no regular file is refused") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(MappedFile(folder / "missing"), Error);
  CHECK_THROWS_AS(MappedFile(folder.path()), Error);
  CHECK_THROWS_AS(MappedFile("/dev/zero"), Error);
}

}  // namespace

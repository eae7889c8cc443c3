#include "repro/base/files.h"
#include "repro/base/mapped_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <functional>
#include <string>
#include <utility>

#include "repro/base/error.h"
#include "repro/base/sha256.h"
#include "support/temporary_folder.h"

namespace repro {
namespace {

std::size_t entries(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

// While it lives no file of this process can grow beyond `size_bytes`: a full disk without a disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size_bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {size_bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

struct Failure {
  ErrorKind kind = ErrorKind::bug;
  std::string message;
};
Failure failure_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.kind(), error.message()};
  }
  return {};
}

TEST_CASE("what is written is read back, whole or mapped") {
  const TemporaryFolder folder;
  const fs::path file = folder / "file";
  write_file(file, std::string_view("first"));
  write_file(file, std::string_view("second\0!", 8));
  CHECK(read_text_file(file) == std::string_view("second\0!", 8));
  CHECK(as_text(read_file(file)) == read_text_file(file));
  MappedFile mapped(file);
  const MappedFile moved(std::move(mapped));
  CHECK(as_text(moved.bytes()) == read_text_file(file));
  CHECK(sha256_hex_of_file(file) == sha256_hex(moved.bytes()));
  CHECK(entries(folder) == 1);
}

TEST_CASE("empty files are files") {
  const TemporaryFolder folder;
  write_file(folder / "empty", std::string_view());
  CHECK(read_file(folder / "empty").empty());
  CHECK(MappedFile(folder / "empty").bytes().empty());
  CHECK(sha256_hex_of_file(folder / "empty") ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("what is no readable file is refused with path and reason") {
  const TemporaryFolder folder;
  const fs::path fifo = folder / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const fs::path inside = fs::path(fifo).parent_path();
  for (const auto& [path, reason] : {std::pair{folder / "none", "No such file or directory"},
                                     {inside, "it is a folder"},
                                     {fifo, "not a regular file"},
                                     {fs::path("/dev/zero"), "not a regular file"}}) {
    const std::string expected = "cannot read " + path.string() + ": " + reason;
    for (const auto& failure :
         {failure_of([&, p = path] { read_file(p); }), failure_of([&, p = path] { MappedFile mapped(p); })}) {
      CHECK(failure.message == expected);
      CHECK(failure.kind == ErrorKind::input);
    }
  }
}

TEST_CASE("a file above the limit is not read") {
  const TemporaryFolder folder;
  write_file(folder / "ten", std::string_view("0123456789"));
  CHECK(read_file(folder / "ten", 10).size() == 10);
  CHECK(failure_of([&] {
          read_file(folder / "ten", 9);
        }).message.find("it has 10 bytes, at most 9 are allowed") != std::string::npos);
  // A hole of 1 TB: nothing may be allocated for it.
  const fs::path sparse = folder / "sparse";
  write_file(sparse, std::string_view());
  REQUIRE(::truncate(sparse.c_str(), off_t{1} << 40) == 0);
  CHECK(failure_of([&] { read_file(sparse); }).kind == ErrorKind::input);
}

TEST_CASE("names are made displayable") {
  CHECK(failure_of([] { read_file("/no\x1b[2J"); }).message ==
        "cannot read /no\\x1b[2J: No such file or directory");
}

TEST_CASE("a failing write leaves the old file and nothing else") {
  const TemporaryFolder folder;
  const fs::path file = folder / "file";
  write_file(file, std::string_view("old"));
  {
    const FileSizeLimit limit(1000);
    const auto failure = failure_of([&] { write_file(file, std::string(5000, 'x')); });
    CHECK(failure.kind == ErrorKind::unavailable);
    CHECK(failure.message == "cannot write " + file.string() + ": File too large");
  }
  CHECK(read_text_file(file) == "old");
  CHECK(entries(folder) == 1);
  CHECK(failure_of([&] { write_file(folder / "none/file", std::string_view("x")); }).kind ==
        ErrorKind::unavailable);
  fs::create_directory(folder / "taken");
  CHECK(failure_of([&] { write_file(folder / "taken", std::string_view("x")); }).kind ==
        ErrorKind::unavailable);
  CHECK(entries(folder) == 2);
}

TEST_CASE("a growing file holds all that was written, and a full disk is noticed") {
  const TemporaryFolder folder;
  std::string expected;
  {
    GrowingFile file(folder / "log");
    for (int i = 0; i < 20000; ++i) {
      const std::string line = std::to_string(i) + "\n";
      file.write(line);
      expected += line;
    }
    file.flush();
    CHECK(read_text_file(folder / "log") == expected);
  }
  if (::access("/dev/full", W_OK) != 0) SKIP("no /dev/full");
  GrowingFile full("/dev/full");
  full.write(std::string_view("x"));
  const auto failure = failure_of([&] { full.flush(); });
  CHECK(failure.kind == ErrorKind::unavailable);
  CHECK(failure.message == "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace repro

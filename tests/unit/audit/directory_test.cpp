#include "repro/audit/directory.h"

#include <catch2/catch_test_macros.hpp>

#include "support/temporary_folder.h"

namespace repro {
namespace {

TEST_CASE("`latest` replaces an older link, never somebody's file or folder") {
  const TemporaryFolder folder;
  for (const char* name : {"1", "2"}) fs::create_directory(folder.path() / name);
  update_latest(folder.path() / "1");
  update_latest(folder.path() / "2");
  CHECK(fs::read_symlink(folder.path() / "latest") == "2");
  fs::remove(folder.path() / "latest");
  write_file(folder.path() / "latest", "mine");
  update_latest(folder.path() / "1");
  CHECK(read_text_file(folder.path() / "latest") == "mine");
}

TEST_CASE("overwriting removes the audit, not what its links lead to") {
  const TemporaryFolder folder;
  const fs::path audit = folder.path() / "audit";
  const fs::path precious = folder.path() / "precious";
  fs::create_directories(audit);
  fs::create_directories(precious);
  write_file(precious / "file", "kept");
  write_file(audit / "audit.json", encode_header({}));
  fs::create_directory_symlink(precious, audit / "link");
  make_output_directory(audit, true);
  CHECK(fs::is_directory(audit / "runs"));
  CHECK_FALSE(fs::exists(audit / "audit.json"));
  CHECK(read_text_file(precious / "file") == "kept");
}

TEST_CASE("default folders are stamped and unique") {
  CHECK(default_directory("digits", "2026-11-30T15:00:00Z") == "repro-out/digits/20261130T150000Z");
}

}  // namespace
}  // namespace repro

// --out must be new or empty; --overwrite removes earlier audits and nothing else.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("an empty folder is taken, one with somebody's files never") {
  const FakeAudit audit;
  fs::create_directory(audit.path());
  CHECK(audit.run().code == 0);
  const FakeAudit other;
  fs::create_directory(other.path());
  write_file(other.path() / "thesis.txt", "years of work");
  CHECK(other.run().code == 2);
  CHECK(other.run({"--overwrite"}).code == 2);
  write_file(other.path() / "audit.json", "{}");
  CHECK(other.run({"--overwrite"}).code == 2);
  CHECK(read_text_file(other.path() / "thesis.txt") == "years of work");
}

TEST_CASE("an earlier audit stays without --overwrite, and also if the new one cannot start") {
  const FakeAudit audit;
  REQUIRE(audit.run().code == 0);
  write_file(audit.path() / "mark", "");
  const CliResult refused = audit.run();
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("holds an earlier audit") && ContainsSubstring("--overwrite"));
  CHECK(audit.run({"--overwrite", "--device", "cuda"}).code == 3);
  CHECK(fs::exists(audit.path() / "mark"));
  CHECK(audit.run({"--overwrite"}).code == 0);
  CHECK_FALSE(fs::exists(audit.path() / "mark"));
}

TEST_CASE("links are never followed, files are no folders") {
  const FakeAudit audit;
  fs::create_directory(audit.path("elsewhere"));
  fs::create_directory_symlink("elsewhere", audit.path());
  CHECK(audit.run({"--overwrite"}).code == 2);
  const FakeAudit file;
  write_file(file.path(), "a file");
  CHECK(file.run({"--overwrite"}).code == 2);
  CHECK(read_text_file(file.path()) == "a file");
}

TEST_CASE("without --out every audit gets a folder of its own, and `latest` names the last") {
  const FakeAudit audit;
  REQUIRE(audit.cli()({"--config", config("tiny.json"), "-q"}).code == 0);
  REQUIRE(audit.cli()({"--config", config("tiny.json"), "-q"}).code == 0);
  const fs::path folder = audit.path("repro-out/tiny");
  std::vector<fs::path> audits;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_symlink()) audits.push_back(entry.path().filename());
  }
  REQUIRE(audits.size() == 2);
  CHECK(fs::is_symlink(folder / "latest"));
  CHECK(std::max(audits[0], audits[1]) == fs::read_symlink(folder / "latest"));
}

}  // namespace
}  // namespace repro

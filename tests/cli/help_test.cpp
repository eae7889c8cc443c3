// --help and --version, and their golden texts in docs/help (REPRO_REGENERATE=1 writes them).
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("the help texts in docs/help are those that are printed") {
  const auto [file, arguments] = GENERATE(
      std::pair<std::string, std::vector<std::string>>{"repro-train.txt", {"--help"}},
      std::pair<std::string, std::vector<std::string>>{"run.txt", {"run", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"diff.txt", {"diff", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"inspect.txt", {"inspect", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"localize.txt", {"localize", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"trace.txt", {"trace", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"trace-show.txt", {"trace", "show", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"trace-diff.txt", {"trace", "diff", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"report.txt", {"report", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"spec.txt", {"spec", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"spec-check.txt", {"spec", "check", "--help"}},
      std::pair<std::string, std::vector<std::string>>{"spec-show.txt", {"spec", "show", "--help"}});
  const FakeAudit audit;
  const CliResult result = audit.cli()(arguments);
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  const fs::path golden = fs::path(REPRO_SOURCE_DIR) / "docs/help" / file;
  if (std::getenv("REPRO_REGENERATE") != nullptr) {
    fs::create_directories(golden.parent_path());
    write_file(golden, result.out);
  }
  INFO("docs/help is stale: run this test with REPRO_REGENERATE=1");
  CHECK(read_text_file(golden) == result.out);
}

TEST_CASE("version, no arguments, unknown command") {
  const FakeAudit audit;
  CHECK_THAT(audit.cli()({"--version"}).out, StartsWith("repro-train "));
  const CliResult nothing = audit.cli()({});
  CHECK(nothing.code == 2);
  CHECK(nothing.out.empty());
  CHECK_THAT(nothing.err, ContainsSubstring("--config"));
  CHECK(audit.cli()({"trian"}).code == 2);
  CHECK(audit.cli()({"run"}).code == 2);
}

}  // namespace
}  // namespace repro

// The tables of docs/causes.md are those of the program. To write them anew:
//   REPRO_REGENERATE=1 <build>/tests/bin/test_advice "the tables in docs/causes.md*"
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "repro/advice/known_causes.h"
#include "repro/base/files.h"

namespace repro {
namespace {

const fs::path document = fs::path(REPRO_SOURCE_DIR) / "docs/causes.md";

std::string table_row(std::initializer_list<std::string_view> cells) {
  std::string out = "|";
  for (const std::string_view cell : cells) out.append(" ").append(cell).append(" |");
  return out + "\n";
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string causes_table() {
  std::string out =
      "| operation | device | when | cause | what helps | with `algorithms` | source |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const KnownCause& entry : known_causes()) {
    out += table_row({code(entry.operation), entry.device, name_of(entry.condition), entry.cause,
                      entry.remedy, name_of(entry.with_algorithms), entry.source});
  }
  return out;
}

std::string deterministic_table() {
  std::string out = "| operation | device | when | why | source |\n|---|---|---|---|---|\n";
  for (const KnownDeterministic& entry : known_deterministic()) {
    out += table_row(
        {code(entry.operation), entry.device, name_of(entry.condition), entry.reason, entry.source});
  }
  return out;
}

std::string caveats_table() {
  std::string out = "| device | when | what | what helps | source |\n|---|---|---|---|---|\n";
  for (const KnownCaveat& entry : known_caveats()) {
    out += table_row({entry.device, name_of(entry.condition), entry.text, entry.remedy, entry.source});
  }
  return out;
}

// `text` with what stands between the two comments of `name` replaced; "" if they are not there.
std::string with_table(const std::string& text, const std::string& name, const std::string& table) {
  const std::string opening = "<!-- table: " + name + " -->\n", closing = "<!-- end of " + name + " -->\n";
  const std::size_t begin = text.find(opening), end = text.find(closing);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return text.substr(0, begin) + opening + table + text.substr(end);
}

TEST_CASE("the tables in docs/causes.md are those of the program") {
  const std::string found = read_text_file(document);
  std::string expected = with_table(found, "causes", causes_table());
  expected = with_table(expected, "deterministic", deterministic_table());
  expected = with_table(expected, "caveats", caveats_table());
  REQUIRE_FALSE(expected.empty());
  if (std::getenv("REPRO_REGENERATE") != nullptr) write_file(document, expected);
  INFO("docs/causes.md is stale: run this test with REPRO_REGENERATE=1");
  CHECK(read_text_file(document) == expected);
}

TEST_CASE("docs/causes.md says where every source is") {
  const std::string text = read_text_file(document);
  const std::string sources = text.substr(text.find("## Sources"));
  const auto check = [&](std::string_view source) {
    CHECK_THAT(sources, Catch::Matchers::ContainsSubstring("\n| " + std::string(source) + " |"));
  };
  for (const KnownCause& entry : known_causes()) check(entry.source);
  for (const KnownDeterministic& entry : known_deterministic()) check(entry.source);
  for (const KnownCaveat& entry : known_caveats()) check(entry.source);
}

}  // namespace
}  // namespace repro

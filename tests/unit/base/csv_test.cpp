#include "repro/base/csv.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "repro/base/error.h"

namespace repro {
namespace {

using Row = std::vector<std::string>;

TEST_CASE("fields are quoted only if they must be") {
  CHECK(csv_field("conv1.weight") == "conv1.weight");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_row(Row{"a", "", "b\nc"}) == "a,,\"b\nc\"\n");
}

TEST_CASE("what is written is read back") {
  const std::vector<Row> rows = {{"plain", "with,comma", "with \"quotes\""},
                                 {"", "line\nbreak", "carriage\r\nreturn"},
                                 {"\"", ",", "\n"},
                                 {""}};
  std::string text;
  for (const Row& row : rows) text += csv_row(row);
  CHECK(parse_csv(text, "f") == rows);
}

TEST_CASE("both line ends are read, and a last line without one") {
  CHECK(parse_csv("a,b\r\nc,d", "f") == std::vector<Row>{{"a", "b"}, {"c", "d"}});
  CHECK(parse_csv("", "f").empty());
  CHECK(parse_csv("a,", "f") == std::vector<Row>{{"a", ""}});
}

TEST_CASE("malformed quotes are errors that name file and line") {
  const auto message = [](std::string_view text) {
    try {
      parse_csv(text, "steps.csv");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::input);
      return error.message();
    }
    return std::string();
  };
  CHECK(message("a\n\"b") == "steps.csv: line 2: a quote is not closed");
  CHECK(message("a\nb\n\"c\"d\n") == "steps.csv: line 3: text after a closing quote");
  CHECK(message("\"a\",b\n").empty());
}

}  // namespace
}  // namespace repro

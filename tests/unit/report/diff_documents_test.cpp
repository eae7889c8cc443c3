// The CSV files, Markdown, page and plot of `diff`.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <pugixml.hpp>

#include "repro/base/csv.h"
#include "repro/base/error.h"
#include "repro/report/diff_report.h"
#include "repro/report/escape.h"
#include "support/temporary_folder.h"
#include "unit/report/html_check.h"
#include "unit/report/sample_diff.h"

namespace repro {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::vector<std::string>> csv(const fs::path& path) {
  return parse_csv(read_text_file(path), path.string());
}

TEST_CASE("CSV of one pair: files for what differs") {
  const EveryKind sample;
  const DiffResult result = diff_of({&sample.reference, &sample.candidate});
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "new" / "csv";
  CHECK(write_diff_csv(result, out, {}).empty());
  const auto table = csv(out / "tensors.csv");
  REQUIRE(table.size() == 1 + result.comparisons[0].diff.tensors.size());
  for (const auto& row : table) CHECK(row.size() == 17);
  const auto row = [&](const std::string& name) {
    return *std::find_if(table.begin(), table.end(), [&](const auto& r) { return r[0] == name; });
  };
  CHECK(row("optimizer.step")[1].empty());
  CHECK(row("optimizer.step")[3] == "leaf");
  CHECK(row("optimizer.step")[4] == "false");
  CHECK(row("unread.weight")[1] == "F4");
  CHECK(row("dtype.weight")[1] == "float32->float16");
  CHECK(row("shape.weight")[2] == "4->2;2");
  CHECK(row("value.gross")[15].empty());
  for (const char* name : {"value.gross", "value.last", "nan.weight", "zero.bias", "tied.weight"}) {
    CHECK(fs::exists(out / (std::string(name) + ".csv")));
    CHECK(fs::exists(out / (std::string(name) + ".svg")));
  }
  CHECK(csv(out / "value.gross.csv").size() == 5);
  for (const char* name : {"equal.weight", "gone.weight", "dtype.weight", "optimizer.step"}) {
    CHECK_FALSE(fs::exists(out / (std::string(name) + ".csv")));
    CHECK_FALSE(fs::exists(out / (std::string(name) + ".svg")));
  }
  SECTION("all rows, explicitly") {
    write_diff_csv(result, out, {CsvRows::all, 1, true});
    CHECK(csv(out / "equal.weight.csv").size() == 5);
    CHECK_FALSE(fs::exists(out / "equal.weight.svg"));
  }
  SECTION("differing rows only") {
    write_diff_csv(result, out, {CsvRows::different, 1, false});
    CHECK(csv(out / "value.gross.csv").size() == 3);
  }
  SECTION("what is cut is said") {
    const auto notes = write_diff_csv(result, out, {CsvRows::all, 5, false});
    REQUIRE(notes.size() == 1);
    CHECK(has(notes[0], "the CSV files of b.pt against a.pt leave out"));
  }
}

TEST_CASE("CSV of several pairs: a folder each") {
  SampleSide a("dir/a.pt"), b("dir/b.pt"), c("..");
  a.add_floats("w", {1});
  b.add_floats("w", {1});
  c.add_floats("w", {2});
  const TemporaryFolder folder;
  write_diff_csv(diff_of({&a, &b, &c}), folder.path(), {});
  CHECK(fs::exists(folder.path() / "001-b.pt" / "tensors.csv"));
  CHECK_FALSE(fs::exists(folder.path() / "001-b.pt" / "w.csv"));
  CHECK(fs::exists(folder.path() / "002-%2E." / "w.csv"));
}

TEST_CASE("hostile names in CSV files") {
  const Hostile sample;
  const TemporaryFolder folder;
  write_diff_csv(sample.result(), folder.path(), {});
  const auto table = csv(folder.path() / "tensors.csv");
  const auto names = hostile_names();
  REQUIRE(table.size() == 1 + 3 * names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(table[1 + 3 * i][0] == names[i]);  // reads back unchanged
    const std::string stem = file_name_for(names[i]);
    CHECK(fs::exists(folder.path() / (stem + ".csv")));
    pugi::xml_document svg;
    CHECK(svg.load_file((folder.path() / (stem + ".svg")).c_str()));
  }
}

TEST_CASE("Markdown of every kind") {
  const EveryKind sample;
  DiffResult result = diff_of({&sample.reference, &sample.candidate});
  result.comparisons[0].hints = {"try --strip-prefix module."};
  const std::string text = render_diff_markdown(result);
  INFO(text);
  CHECK(text.starts_with("# b.pt against a.pt: different\n\nverdict: different"));
  CHECK(has(text, "- **hint**: try --strip-prefix module.\n"));
  CHECK(has(text, "- leaves: 1 equal, 1 different, 1 missing\n"));
  CHECK(has(text, "leaf: int 100 -&#62; int 101"));
  CHECK(has(text, "| `gone.weight` | float32 | 4 | missing in candidate |  |  |  |\n"));
  CHECK(has(text, "not compared: 4-bit floats are not supported"));
  CHECK(has(text, "| `value.gross` | float32 | 4 | value | 2 of 4 | 8 |"));
  CHECK_FALSE(has(text, "`equal.weight`"));
}

TEST_CASE("hostile names in Markdown") {
  const Hostile sample;
  const std::string text = render_diff_markdown(sample.result());
  CHECK_FALSE(has(text, "<script"));
  CHECK_FALSE(has(text, "<img"));
  CHECK_FALSE(has(text, "://"));
  CHECK_FALSE(has(text, "](http"));
  CHECK_FALSE(has(text, "@here"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\n# heading"));
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = text.find("\n| <code>", at)) != std::string::npos; ++at) {
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    CHECK(std::count(line.begin(), line.end(), '|') == 8);
    ++rows;
  }
  CHECK(rows > 3 * hostile_names().size() - 8);
}

TEST_CASE("the page of every kind") {
  const EveryKind sample;
  const DiffResult result = diff_of({&sample.reference, &sample.candidate});
  const std::string html = render_diff_html(result);
  check_standalone(html);
  CHECK(html == render_diff_html(result));
  CHECK(has(html, "banner different"));
  CHECK(has(html, "leaf<div class=\"words\">int 100 -&gt; int 101"));
  CHECK(has(html, "missing in candidate"));
  CHECK(has(html, "not compared<div class=\"words\">4-bit floats are not supported"));
  CHECK(has(html, "1 tensor equal bit for bit (4 values), 1 equal leaf"));
  CHECK(has(html, "a.pt minus b.pt"));
  CHECK(count_of(html, "<svg class=\"chart\"") == 5);
  CHECK(has(html, "tied to <code>tied.weight</code>"));
}

TEST_CASE("the page of equal files has no plots, and one of two thousand tensors stays small") {
  SampleSide a("a"), b("b");
  a.add_floats("w", {1});
  b.add_floats("w", {1});
  const std::string equal = render_diff_html(diff_of({&a, &b}));
  check_standalone(equal);
  CHECK(has(equal, "banner identical"));
  CHECK(count_of(equal, "<svg") == 0);
  CHECK(count_of(equal, "<section") == 1);
  const ManyTensors sample(2000);
  const std::string html = render_diff_html(diff_of({&sample.reference, &sample.candidate}));
  check_standalone(html);
  CHECK(html.size() < 3'000'000);
  CHECK(has(html, "Left out: "));
}

TEST_CASE("a page whose tensors cannot be read says so") {
  const EveryKind sample;
  DiffResult result = diff_of({&sample.reference, &sample.candidate});
  result.comparisons[0].tensors = [](const TensorDiff&) -> TensorPair {
    throw Error(ErrorKind::input, "a.pt: the file changed");
  };
  CHECK(has(render_diff_html(result), "not drawn: a.pt: the file changed"));
  result.comparisons[0].tensors = {};
  CHECK(has(render_diff_html(result), "not drawn: the files do not have"));
}

TEST_CASE("hostile names in the page") {
  const Hostile sample;
  std::string html = render_diff_html(sample.result());
  CHECK(has(html, "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"));
  for (const char* harmless : {"http://evil", "src=x onerror=alert"}) {  // as text
    for (std::size_t at; (at = html.find(harmless)) != std::string::npos;)
      html.erase(at, std::string(harmless).size());
  }
  check_standalone(html);
  for (const char* part : {"\x1b", "\u202E", "\xff", "<b>a|"}) CHECK_FALSE(has(html, part));
}

TEST_CASE("a plot of a comparison in the terminal") {
  const EveryKind sample;
  const DiffResult result = diff_of({&sample.reference, &sample.candidate});
  const auto plot = [&](const std::string& tensor) {
    return render_diff_plot(result.comparisons[0], tensor, 80, false);
  };
  CHECK(has(plot("value.gross"), "value.gross: difference, a.pt minus b.pt\n"));
  CHECK(has(plot("value.gross"), "2 of 4 differences are not 0"));
  CHECK(has(plot("equal.weight"), "all 4 differences are exactly 0"));
  CHECK(has(plot("gone.weight"), "(not drawn: missing_in_candidate, float32 4)"));
  CHECK(has(plot("optimizer.step"), "(not drawn: leaf, int 100 -> int 101)"));
  CHECK(has(plot("optimizer.lr"), "(not drawn: equal, float 0.001)"));
  try {
    plot("value.gros");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::request);
    CHECK(error.hint() == "did you mean 'value.gross'?");
  }
  const Hostile hostile;
  const DiffResult bad = hostile.result();
  for (const std::string& name : hostile_names()) {
    const std::string text = render_diff_plot(bad.comparisons[0], name, 80, false);
    CHECK_FALSE(has(text, "\x1b"));
    CHECK_FALSE(has(text, "\u202E"));
  }
}

}  // namespace
}  // namespace repro

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "repro/report/diff_report.h"
#include "repro/report/table.h"
#include "repro/report/totals.h"
#include "unit/report/sample_diff.h"

namespace repro {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int widest_line(const std::string& text) {
  int widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, terminal_width(line));
  return widest;
}

TEST_CASE("equal files are a few lines") {
  SampleSide a("a.safetensors"), b("b.pt");
  for (SampleSide* side : {&a, &b}) {
    side->add_floats("w", {1, 2, 3});
    side->add_leaf("step", "int", "5");
  }
  DiffResult result = diff_of({&a, &b});
  result.comparisons[0].candidate.remarks = {"zip entries are not aligned"};
  CHECK(render_diff_text(result, {}) ==
        "reference: a.safetensors (pytorch, 1 tensor)\n"
        "candidate: b.pt (pytorch, 1 tensor)\n"
        "           zip entries are not aligned\n"
        "tensors: 1 equal\n"
        "values:  0 of 3 differ\n"
        "leaves:  1 equal\n"
        "verdict: identical (1 tensors, 3 values)\n");
}

TEST_CASE("every kind, worst first, in 80 columns") {
  const EveryKind sample;
  DiffResult result = diff_of({&sample.reference, &sample.candidate});
  result.comparisons[0].hints = {"try it"};
  const std::string text = render_diff_text(result, {});
  INFO(text);
  CHECK(widest_line(text) <= 80);
  CHECK(text == render_diff_text(result, {}));
  std::size_t last = 0;
  for (const char* part : {"missing_in_reference  epoch",
                           "missing_in_reference  new.weight",
                           "missing_in_candidate  gone.weight",
                           "dtype                 dtype.weight    float32->float16 4",
                           "shape                 shape.weight    float32 4->2x2",
                           "not_compared          unread.weight   4-bit floats",
                           "leaf                  optimizer.step  int 100 -> int 101",
                           "nan.weight",
                           "value.gross",
                           "tied.weight",
                           "value.last",
                           "zero.bias",
                           "first difference",
                           "nan.weight[0]\n    NaN (7fc00000) against 1 (3f800000)\n",
                           "value.gross[1]\n    2 (40000000) against 2.5 (40200000), 2097152 ULP\n",
                           "tensors: ",
                           "values: ",
                           "sizes: ",
                           "leaves: ",
                           "hint: try it",
                           "verdict: different"}) {
    INFO(part);
    const std::size_t at = text.find(part, last == 0 ? 0 : last + 1);
    CHECK(at != std::string::npos);
    if (at != std::string::npos) last = at;
  }
  CHECK(has(text,
            "tensors: 1 missing_in_reference, 1 missing_in_candidate, 1 dtype, 1 shape, 1\n"
            "         not_compared, 3 value, 1 nan_pattern, 1 signed_zero, 1 equal;\n"
            "         1 more name tied to them\n"));
  CHECK_FALSE(has(text, "tied.again"));  // says the same as what it is tied to
  CHECK(has(text, "leaves:  1 equal, 1 different, 1 missing\n"));
  CHECK_FALSE(has(text, "equal.weight"));
  CHECK(has(render_diff_text(result, {.color = true}), "\x1b[1m\x1b[31mverdict"));
}

TEST_CASE("two thousand tensors: thirty rows and how to see the others") {
  const ManyTensors sample(2000);
  const DiffResult result = diff_of({&sample.reference, &sample.candidate});
  for (const int width : {60, 80, 120}) {
    const std::string text = render_diff_text(result, {.width = width});
    INFO(text);
    CHECK(widest_line(text) <= width);
    CHECK(std::count(text.begin(), text.end(), '\n') < 65);
    CHECK(has(text, "and 1,303 more rows in all: --json"));
    CHECK(has(text, "tensors: 1,333 value, 667 equal\n"));
  }
  const std::string wide = render_diff_text(result, {.width = 120});
  CHECK(has(wide, "model.layers.1999.mlp.gate_proj.weight"));
}

TEST_CASE("a rule other than bitwise shows what passes") {
  SampleSide a("a"), b("b");
  a.add_floats("close", {1});
  b.add_floats("close", {1.0000001F});
  a.add_floats("far", {1});
  b.add_floats("far", {2});
  DiffOptions options;
  options.rule = parse_rule("ulp=1");
  const std::string text = render_diff_text(diff_of({&a, &b}, options), {.width = 100});
  INFO(text);
  CHECK(text.find("far") < text.find("close"));
  CHECK(has(text, " passes\n"));
  CHECK(has(text, " fails\n"));
}

TEST_CASE("several candidates: equal ones on a line each") {
  SampleSide a("a.pt"), b("b.pt"), c("c.pt");
  a.add_floats("w", {1, 2});
  b.add_floats("w", {1, 2});
  c.add_floats("w", {1, 3});
  DiffResult result = diff_of({&a, &b, &c});
  result.notes = {"c.pt is the odd one out"};
  const std::string text = render_diff_text(result, {});
  INFO(text);
  CHECK(has(text, "b.pt: identical, 1 tensor, 2 values\n\nc.pt: different\n"));
  CHECK(has(text, "\nc.pt is the odd one out\nverdict: different"));
}

TEST_CASE("histograms of any length take few lines") {
  UlpHistogram bins(64, 1);
  const auto ranges = ulp_ranges(bins, 12);
  CHECK(ranges.size() == 11);
  CHECK(ranges.front().text == "1-63");
  CHECK(ranges.back().text == "2^60-2^64");
  CHECK(ulp_ranges({0, 0, 5}, 12).front().text == "4-7");
  CHECK(ulp_ranges({3}, 12).front().text == "1");
  CHECK(ulp_ranges({}, 12).empty());
  CHECK(ulp_ranges({0, 0}, 12).empty());
}

TEST_CASE("names are cut in their middle") {
  CHECK(cut_middle("encoder.layers.weight", 30) == "encoder.layers.weight");
  CHECK(cut_middle("encoder.layers.weight", 12) == "e...s.weight");
  CHECK(terminal_width(cut_middle("가나다라마바사아자차카타파하", 12)) <= 12);
  CHECK(cut_middle("abcdefgh", 4) == "...h");
}

TEST_CASE("hostile names in the terminal") {
  const Hostile sample;
  const std::string text = render_diff_text(sample.result(), {});
  CHECK(widest_line(text) <= 80);
  for (const char c : text) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  CHECK_FALSE(has(text, "\u202E"));
  CHECK_FALSE(has(text, "\xff"));
  CHECK(has(text, "\\x1b[2J\\n"));
}

}  // namespace
}  // namespace repro

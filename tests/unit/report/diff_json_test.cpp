#include <catch2/catch_test_macros.hpp>

#include "repro/report/diff_report.h"
#include "unit/report/sample_diff.h"

namespace repro {
namespace {

const Json& row(const Json& rows, const std::string& name) {
  for (const Json& candidate : rows) {
    if (candidate["tensor"] == name) return candidate;
  }
  FAIL("no row " << name);
  return rows;
}

TEST_CASE("diff --json of one pair") {
  const EveryKind sample;
  const DiffResult result = diff_of({&sample.reference, &sample.candidate});
  const std::string text = render_diff_json(result);
  CHECK(text.starts_with(
      "{\n  \"format\": \"repro-train/diff\",\n  \"version\": 1,\n  \"verdict\": \"different\",\n"));
  CHECK(text.ends_with("\n  ]\n}\n"));
  const Json json = Json::parse(text);
  CHECK(json["rule"] == "bitwise");
  CHECK(json["reference"] == "a.pt");
  CHECK(json["candidate"] == "b.pt");
  CHECK(json["tensors_compared"] == 6);
  CHECK(json["leaves_compared"] == 2);
  CHECK(json["leaves_left_out"] == 0);
  CHECK(json["ignored"] == 0);
  CHECK_FALSE(json.contains("comparisons"));
  const Json& rows = json["tensors"];
  CHECK(rows.size() == result.comparisons[0].diff.tensors.size());

  const Json& value = row(rows, "value.gross");
  CHECK(value["kind"] == "value");
  CHECK(value["within_rule"] == false);
  CHECK(value["first_different"] == Json({1}));
  CHECK(value["first_difference"] == Json{{"index", {1}},
                                          {"reference", "2"},
                                          {"candidate", "2.5"},
                                          {"reference_bits", "40000000"},
                                          {"candidate_bits", "40200000"}});
  CHECK(value["magnitudes"]["gross"] == 2);
  CHECK(value["ulp_histogram"].is_array());
  CHECK(value["alias_of"].is_null());
  CHECK(value["reference_sha256"].is_null());
  CHECK(row(rows, "value.last")["magnitudes"]["last_bit"] == 1);
  CHECK(row(rows, "tied.again")["alias_of"] == "tied.weight");
  CHECK(row(rows, "nan.weight")["first_difference"]["reference"] == "NaN");
  CHECK(row(rows, "nan.weight")["kind"] == "nan_pattern");
  CHECK(row(rows, "zero.bias")["first_difference"]["reference"] == "-0");
  CHECK(row(rows, "zero.bias")["kind"] == "signed_zero");

  CHECK(row(rows, "gone.weight")["kind"] == "missing_in_candidate");
  CHECK(row(rows, "new.weight")["kind"] == "missing_in_reference");
  CHECK(row(rows, "new.weight")["shape"] == Json({1}));
  CHECK(row(rows, "dtype.weight")["candidate_dtype"] == "float16");
  CHECK(row(rows, "shape.weight")["candidate_shape"] == Json({2, 2}));
  const Json& unread = row(rows, "unread.weight");
  CHECK(unread["dtype"] == "F4");
  CHECK(unread["within_rule"].is_null());
  CHECK(unread["reason"] == "4-bit floats are not supported");
  CHECK(unread["magnitudes"].is_null());
  CHECK(row(rows, "equal.weight")["first_difference"].is_null());

  const Json& leaf = row(rows, "optimizer.step");
  CHECK(leaf["kind"] == "leaf");
  CHECK(leaf["dtype"].is_null());
  CHECK(leaf["shape"].is_null());
  CHECK(leaf["reference_value"] == "100");
  CHECK(leaf["candidate_value"] == "101");
  CHECK(leaf["reference_type"] == "int");
  CHECK(row(rows, "optimizer.lr")["kind"] == "equal");
  const Json& missing = row(rows, "epoch");
  CHECK(missing["kind"] == "missing_in_reference");
  CHECK(missing["reference_value"].is_null());
  CHECK(missing["candidate_value"] == "3");
}

TEST_CASE("a leaf against a tensor has no shape on its side") {
  SampleSide a("a"), b("b");
  a.add_leaf("x", "int", "1");
  b.add_floats("x", {1});
  const Json json = Json::parse(render_diff_json(diff_of({&a, &b})));
  const Json& only = json["tensors"][0];
  CHECK(only["kind"] == "dtype");
  CHECK(only["dtype"] == "int");
  CHECK(only["shape"].is_null());
  CHECK(only["candidate_dtype"] == "float32");
  CHECK(only["candidate_shape"] == Json({1}));
  CHECK(only["reference_value"] == "1");
}

TEST_CASE("diff --json of several pairs") {
  SampleSide a("a.pt"), b("b.pt"), c("c.pt");
  a.add_floats("w", {1});
  b.add_floats("w", {1});
  c.add_floats("w", {2});
  const Json json = Json::parse(render_diff_json(diff_of({&a, &b, &c})));
  CHECK(json["verdict"] == "different");
  CHECK_FALSE(json.contains("tensors"));
  REQUIRE(json["comparisons"].size() == 2);
  CHECK(json["comparisons"][0]["verdict"] == "identical");
  CHECK(json["comparisons"][1]["candidate"] == "c.pt");
  CHECK(json["comparisons"][1]["tensors"][0]["kind"] == "value");
}

TEST_CASE("JSON comes in pieces, a row on a line") {
  const ManyTensors sample(3000);
  const DiffResult result = diff_of({&sample.reference, &sample.candidate});
  std::size_t largest = 0, rows = 0;
  std::string whole;
  write_diff_json(result, [&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    whole += piece;
  });
  for (std::size_t at = 0; (at = whole.find("\n    {\"tensor\": ", at)) != std::string::npos; ++at) ++rows;
  CHECK(rows == 3000);
  CHECK(largest < 70'000);
  CHECK(whole == render_diff_json(result));
}

TEST_CASE("hostile names in JSON") {
  const Hostile sample;
  const std::string text = render_diff_json(sample.result());
  const Json json = Json::parse(text);
  CHECK(json["tensors"][0]["tensor"] == "<script>alert('1')</script>");
  CHECK(json["candidate"] == "=b\"\\u{202E},\\xff.pt");  // no UTF-8: as it is shown
  for (const char c : text) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
}

}  // namespace
}  // namespace repro

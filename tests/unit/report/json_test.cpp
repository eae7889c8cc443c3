#include "repro/report/json_rows.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "repro/report/report.h"
#include "unit/report/sample_audit.h"

namespace repro {
namespace {

Json json_of(const TensorDiff& row) {
  std::string text;
  JsonStream stream([&](std::string_view piece) { text += piece; });
  write_row(stream, row);
  stream.finish();
  CHECK(text.find('\n') == text.size() - 1);
  return Json::parse(text);
}

TEST_CASE("numbers that JSON cannot hold are strings, absent ones null") {
  CHECK(json_number(0.1).dump() == "0.1");
  CHECK(json_number(-0.0).dump() == "\"-0\"");
  CHECK(json_number(std::numeric_limits<double>::quiet_NaN()).dump() == "\"NaN\"");
  CHECK(json_number(-std::numeric_limits<double>::infinity()).dump() == "\"-Infinity\"");
  CHECK(json_number(std::optional<double>()).dump() == "null");
}

TEST_CASE("report.json") {
  SampleAudit sample;
  SampleWeights other = autoencoder_weights();
  perturb(other, "conv1.weight", 9, 1);
  sample.add_group("default", {autoencoder_weights(), other});
  sample.audit.first_divergence = sample_divergence(0, Phase::initialisation, "conv1.weight");
  sample.audit.first_divergence_of = "default-1 against default-0";
  sample.audit.warnings = {"bad byte \xff"};
  const Judgement judgement = judge(sample.audit, Expectation::identical);
  const std::string text = render_json(sample.audit, judgement);
  CHECK(text == render_json(sample.audit, judgement));
  CHECK(text.starts_with("{\n  \"format\": \"repro-train/report\",\n  \"version\": 1,\n"));
  const Json json = Json::parse(text);
  CHECK(json["verdict"] == "different");
  CHECK(json["exit_code"] == 1);
  CHECK(json["groups"][0]["name"] == "default");
  CHECK(json["groups"][0]["distinct"] == 2);
  CHECK(json["runs"].size() == 2);
  CHECK(json["environment"]["machine"]["cores"] == 2);
  CHECK(json["spec"]["name"] == "digits");
  CHECK(json["first_divergence"]["phase"] == "initialisation");
  CHECK(json["first_divergence"]["operation"].is_null());
  CHECK(json["warnings"][0] == "bad byte \\xff");
  const Json& comparison = json["comparisons"][0];
  CHECK(comparison["candidate"] == 1);
  CHECK(comparison["tensors"].size() == 17);
  const Json& first = comparison["tensors"][0];
  CHECK(first["tensor"] == "conv1.weight");
  CHECK(first["role"] == "learnable");
  CHECK(first["shape"] == Json({8, 1, 3, 3}));
  CHECK(first["first_different"] == Json({0, 0, 0, 0}));
  CHECK(first["different"] == 8);
  CHECK(first["ulp_histogram"].is_array());
  CHECK_FALSE(first.contains("candidate_dtype"));
  CHECK(comparison["tensors"][14]["role"] == "buffer");
  CHECK(comparison["tensors"][16]["role"] == "prediction");
  CHECK(comparison["tensors"][1]["kind"] == "equal");
  CHECK(comparison["tensors"][1]["ulp_histogram"].is_null());
}

TEST_CASE("a tensor whose layout differs names both layouts") {
  TensorDiff tensor;
  tensor.name = "a";
  tensor.kind = DifferenceKind::shape;
  tensor.within_rule = false;
  tensor.shape = {3};
  tensor.candidate_shape = {2, 4};
  const Json json = json_of(tensor);
  CHECK(json["candidate_shape"] == Json({2, 4}));
  CHECK(json["candidate_dtype"] == "float32");
  CHECK(json["max_abs"].is_null());
  CHECK(json["role"].is_null());
}

}  // namespace
}  // namespace repro

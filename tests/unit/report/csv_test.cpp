#include <catch2/catch_test_macros.hpp>

#include "repro/base/csv.h"
#include "repro/report/csv_files.h"
#include "unit/report/sample_audit.h"

namespace repro {
namespace {

TensorDiff tensor_of(const std::string& name, std::uint64_t values, std::uint64_t different) {
  TensorDiff tensor;
  tensor.name = name;
  tensor.kind = different > 0 ? DifferenceKind::value : DifferenceKind::equal;
  tensor.within_rule = different == 0;
  tensor.shape = {static_cast<std::int64_t>(values)};
  tensor.values = values;
  tensor.different = different;
  return tensor;
}

std::vector<std::uint64_t> flat(const std::vector<RowQuota>& quotas) {
  std::vector<std::uint64_t> out;
  for (const RowQuota& quota : quotas) {
    out.push_back(quota.different);
    out.push_back(quota.equal);
  }
  return out;
}

TEST_CASE("rows above the limit: differing ones of all tensors first") {
  SnapshotDiff diff;
  diff.tensors = {tensor_of("a", 10, 4), tensor_of("b", 10, 0), tensor_of("c", 10, 6)};
  diff.tensors.push_back(tensor_of("gone", 5, 0));
  diff.tensors[3].kind = DifferenceKind::missing_in_candidate;
  using Quotas = std::vector<std::uint64_t>;
  const auto row_quotas = [](const SnapshotDiff& rows, const CsvOptions& options) {
    return repro::row_quotas(rows, options, {});
  };
  CHECK(flat(row_quotas(diff, {CsvRows::all, 100, false})) == Quotas{4, 6, 0, 10, 6, 4, 0, 0});
  CHECK(flat(row_quotas(diff, {CsvRows::all, 18, false})) == Quotas{4, 6, 0, 2, 6, 0, 0, 0});
  CHECK(flat(row_quotas(diff, {CsvRows::all, 7, false})) == Quotas{4, 0, 0, 0, 3, 0, 0, 0});
  CHECK(flat(row_quotas(diff, {CsvRows::all, 7, true})) == Quotas{4, 6, 0, 10, 6, 4, 0, 0});
  CHECK(flat(row_quotas(diff, {CsvRows::different, 7, false})) == Quotas{4, 0, 0, 0, 6, 0, 0, 0});
  CHECK(flat(row_quotas(diff, {CsvRows::none, 7, true})) == Quotas(8));
}

TEST_CASE("tensors.csv spells every kind as the contract says") {
  SnapshotDiff diff;
  TensorDiff value = tensor_of("a,b\"c", 72, 2);
  value.shape = {8, 1, 3, 3};
  value.has_finite_pairs = true;
  ValueDifferences differences;
  differences.first_different = 10;
  differences.max_abs = 0.5;
  differences.mean_abs = 1e-300;
  differences.rms = 0.25;
  differences.max_relative = 1;
  differences.max_ulp = 18446744073709551615U;
  value.differences = differences;
  value.reference_sha256 = "aa";
  value.candidate_sha256 = "bb";
  TensorDiff dtype = tensor_of("d", 0, 0);
  dtype.kind = DifferenceKind::dtype;
  dtype.within_rule = false;
  dtype.candidate_dtype = DType::float64;
  dtype.shape = {3};
  dtype.candidate_shape = {2, 4};
  TensorDiff skipped = tensor_of("s", 0, 0);
  skipped.kind = DifferenceKind::not_compared;
  skipped.within_rule.reset();
  skipped.shape = {};
  diff.tensors = {value, dtype, skipped};
  std::string table;
  write_tensors_csv(diff, [&](std::string_view text) { table += text; });
  CHECK(table ==
        "tensor,dtype,shape,kind,within_rule,values,different,first_different,max_abs,mean_abs,rms,"
        "max_relative,max_ulp,nan_mismatches,sign_of_zero_mismatches,reference_sha256,"
        "candidate_sha256\n"
        "\"a,b\"\"c\",float32,8;1;3;3,value,false,72,2,1;0;0;1,0.5,1e-300,0.25,1,"
        "18446744073709551615,0,0,aa,bb\n"
        "d,float32->float64,3->2;4,dtype,false,0,0,,,,,,,0,0,,\n"
        "s,float32,,not_compared,,0,0,,,,,,,0,0,,\n");
}

TEST_CASE("the files of a comparison") {
  SampleAudit sample;
  SampleWeights reference = autoencoder_weights();
  reference.push_back({"../evil|name", Role::buffer, reference[1].tensor});
  reference.push_back({"tensors", Role::buffer, reference[1].tensor});
  SampleWeights candidate = reference;
  perturb(candidate, "conv1.weight", 36, 1);
  perturb(candidate, "../evil|name", 8, 1);
  sample.add_group("default", {reference, candidate});
  const auto notes = write_differences(sample.audit, sample.folder(), {});
  CHECK(notes.empty());
  const fs::path folder = sample.folder() / "diff" / "default-1-vs-default-0";
  const auto rows = parse_csv(read_text_file(folder / "conv1.weight.csv"), "t");
  REQUIRE(rows.size() == 73);
  CHECK(rows[0] == std::vector<std::string>{"index", "reference", "candidate", "difference", "ulp",
                                            "reference_bits", "candidate_bits"});
  CHECK(rows[1][0] == "0");
  CHECK(rows[1][4] == "1");
  CHECK(rows[1][5] != rows[1][6]);
  CHECK(rows[2][3] == "0");
  CHECK(rows[2][5] == rows[2][6]);
  CHECK(fs::exists(folder / "%2E.%2Fevil%7Cname.csv"));
  CHECK(fs::exists(folder / "%74ensors.csv"));
  CHECK(fs::exists(folder / "conv1.weight.svg"));  // the first learnable
  CHECK(fs::exists(folder / "%2E.%2Fevil%7Cname.svg"));
  CHECK_FALSE(fs::exists(folder / "conv2.weight.svg"));  // equal
  for (const auto& entry : fs::recursive_directory_iterator(sample.folder() / "diff")) {
    CHECK(entry.path().string().find(".tmp") == std::string::npos);
  }
  const std::string table = read_text_file(folder / "tensors.csv");
  CHECK(parse_csv(table, "t").size() == 1 + sample.audit.comparisons[0].diff.tensors.size());
}

TEST_CASE("what is cut from the rows is said") {
  SampleAudit sample;
  SampleWeights candidate = autoencoder_weights();
  perturb(candidate, "conv3.weight", 100, 1);
  sample.add_group("default", {autoencoder_weights(), candidate});
  const fs::path folder = sample.folder() / "diff" / "default-1-vs-default-0";
  const auto rows_of = [&](const char* name) {
    return parse_csv(read_text_file(folder / name), name).size() - 1;
  };
  auto notes = write_differences(sample.audit, sample.folder(), {CsvRows::all, 100, false});
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("none of them differing") != std::string::npos);
  CHECK(rows_of("conv3.weight.csv") == 47);
  CHECK(rows_of("conv1.weight.csv") == 53);
  notes = write_differences(sample.audit, sample.folder(), {CsvRows::all, 40, false});
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("7 of them differing") != std::string::npos);
  CHECK(write_differences(sample.audit, sample.folder(), {CsvRows::different, 40, false}).empty());
  CHECK(rows_of("conv3.weight.csv") == 47);
  CHECK(rows_of("conv1.weight.csv") == 0);
}

TEST_CASE("large texts are all or nothing") {
  SampleAudit sample;  // for its folder
  const fs::path path = sample.folder() / "big.csv";
  const std::string piece(1 << 20, 'x');
  {
    AtomicText text(path);
    for (int i = 0; i < 20; ++i) text.append(piece);
  }
  CHECK(fs::is_empty(sample.folder()));  // never finished: nothing is left
  AtomicText text(path);
  for (int i = 0; i < 20; ++i) text.append(piece);
  CHECK_FALSE(fs::exists(path));
  text.finish();
  CHECK(fs::file_size(path) == 20 * piece.size());
}

}  // namespace
}  // namespace repro

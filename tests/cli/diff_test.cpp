#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "checkpoint_files.h"
#include "fake_audit.h"

namespace {

using namespace repro;
using Json = nlohmann::json;

TEST_CASE("diff: equal files are identical, whatever their container") {
  const CheckpointFolder files;
  files.write("a.safetensors");
  files.write("b.bin");  // the name decides nothing
  const CliResult result = files.diff({"a.safetensors", "b.bin"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(last_line(result.out) == "verdict: identical (3 tensors, 6 values)");
  CHECK(files.diff({"a.safetensors", "a.safetensors", "b.bin", "-q"}).out ==
        "verdict: identical (2 comparisons, 6 tensors, 12 values)\n");
}

TEST_CASE("diff: what differs is named, and is exit code 1") {
  const CheckpointFolder files;
  files.write("a");
  files.write("b", {1, 2, 3.5F, 4});
  const CliResult result = files.diff({"a", "b"});
  CHECK(result.code == 1);
  CHECK(result.out.find("w") != std::string::npos);
  CHECK(last_line(result.out) == "verdict: different (3 tensors, 6 values)");
  CHECK(files.diff({"a", "b", "--expect", "different"}).code == 0);
  CHECK(files.diff({"a", "a", "--expect", "different"}).code == 1);
  CHECK(files.diff({"a", "b", "--ignore", "w"}).code == 0);
  CHECK(files.diff({"a", "b", "--only", "[bn]"}).code == 0);
  files.write("[a]");  // no list
  CHECK(files.diff({"[a]", "a"}).code == 0);
  CHECK(files.diff({"a", "b", "--scope", "buffers"}).code == 0);
  CHECK(files.diff({"a", "b", "--compare", "tolerance=0,0.5"}).code == 0);
  CHECK(last_line(files.diff({"a", "b", "--compare", "ulp=3"}).out) ==
        "verdict: different (3 tensors, 6 values, ulp=3)");
}

TEST_CASE("diff: the JSON is the contract's") {
  const CheckpointFolder files;
  files.write("a");
  files.write("b", {1, 2, 3.5F, 4});
  const CliResult result = files.diff({"a", "b", "--json", "--sha256"});
  CHECK(result.code == 1);
  const Json json = Json::parse(result.out);
  CHECK(json["format"] == "repro-train/diff");
  CHECK(json["version"] == 1);
  CHECK(json["verdict"] == "different");
  CHECK(json["rule"] == "bitwise");
  CHECK(json["reference"] == "a");
  CHECK(json["candidate"] == "b");
  CHECK(json["tensors_compared"] == 3);
  CHECK(json["values_compared"] == 6);
  CHECK(json["values_different"] == 1);
  REQUIRE(json["tensors"].size() == 3);
  const Json& row = json["tensors"][0];
  CHECK(row["tensor"] == "w");
  CHECK(row["kind"] == "value");
  CHECK(row["first_different"] == Json::array({1, 0}));
  CHECK(row["max_abs"] == 0.5);
  CHECK(row["reference_sha256"].get<std::string>().size() == 64);
  CHECK(Json::parse(files.diff({"a", "b", "--json"}).out)["tensors"][0]["reference_sha256"].is_null());
  const Json three = Json::parse(files.diff({"a", "a", "b", "--json"}).out);
  CHECK(three["verdict"] == "different");
  REQUIRE(three["comparisons"].size() == 2);
  CHECK(three["comparisons"][0]["verdict"] == "identical");
  CHECK(three["comparisons"][1]["candidate"] == "b");
}

TEST_CASE("diff: no verdict is exit code 3") {
  const CheckpointFolder files;
  files.write("a");
  files.write_named("b", {"x"});
  CHECK(files.diff({"a", "b"}).code == 3);
  CHECK(files.diff({"a", "a", "--only", "nothing"}).code == 3);
  CHECK(files.diff({"a", "a", "--only", "nothing", "--bisect"}).code == 125);
}

TEST_CASE("diff: a wrong request is exit code 2") {
  const CheckpointFolder files;
  files.write("a");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& word) {
    const CliResult result = files.diff(std::move(arguments));
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(word) != std::string::npos);
  };
  refused({}, "REFERENCE");
  refused({"a"}, "CANDIDATE");
  refused({"a", "a", "--colour"}, "--colour");
  refused({"a", "--tensors", "a"}, "--tensors");
  refused({"a", "a", "--compare", "nearly"}, "nearly");
  refused({"a", "a", "--json", "--markdown", "-"}, "--markdown");
  refused({"a", "a", "--json", "--plot", "w"}, "--plot");
  refused({"a", "a", "--csv-rows", "all"}, "--csv");
  refused({"a", "a", "--csv", "."}, "not empty");
  refused({"a", "a", "--csv", "a"}, "no folder");
  refused({"a", "a", "--key", "model"}, "'model'");
  refused({"a", "a", "--plot", "v", "--html", "never.html"}, "'v'");
  CHECK_FALSE(fs::exists(files.path() / "never.html"));
}

TEST_CASE("diff: a missing or damaged file is exit code 4, even beside a difference") {
  const CheckpointFolder files;
  files.write("a");
  files.write("b", {9, 9, 9, 9});
  const std::string bytes = read_text_file(files.path() / "a");
  write_file(files.path() / "cut", std::string_view(bytes).substr(0, bytes.size() - 1));
  write_file(files.path() / "empty", std::string_view());
  write_file(files.path() / "page", std::string_view("<!DOCTYPE html><html>"));
  write_file(files.path() / "lfs",
             std::string_view("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"));
  for (const char* file : {"missing", "cut", "empty", "page", "lfs"}) {
    const CliResult result = files.diff({"a", "b", file});
    CAPTURE(file, result.err);
    CHECK(result.code == 4);
    CHECK(result.out.empty());
    CHECK(result.err.find(file) != std::string::npos);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK(files.diff({"a", file, "--bisect"}).code == 125);
  }
  CHECK(files.diff({"a", "lfs"}).err.find("Git LFS") != std::string::npos);
  CHECK(files.diff({"a", "page"}).err.find("HTML") != std::string::npos);
}

TEST_CASE("diff: names that match without a prefix are hinted at, and --strip-prefix takes it away") {
  const CheckpointFolder files;
  files.write_named("a", {"x.weight", "x.bias"});
  files.write_named("b", {"module.x.weight", "module.x.bias"});
  const CliResult result = files.diff({"a", "b"});
  CHECK(result.code == 3);
  CHECK(result.out.find("--strip-prefix module.") != std::string::npos);
  CHECK(files.diff({"a", "b", "--strip-prefix", "module."}).code == 0);
  CHECK(files.diff({"b", "a", "--strip-prefix", "auto"}).code == 0);
}

TEST_CASE("diff: folders name tensors by their files") {
  const CheckpointFolder files;
  files.write("one/model.safetensors");
  files.write("two/model.safetensors");
  CHECK(files.diff({"one", "two"}).code == 0);
  CHECK(files.diff({"one", "two/model.safetensors"}).code == 0);
  files.write("two/more.safetensors");
  const CliResult result = files.diff({"one", "two"});
  CHECK(result.code == 1);
  CHECK(result.out.find("more.safetensors:w") != std::string::npos);
  CHECK(files.diff({"one", "two", "--ignore", "more.safetensors:*"}).code == 0);
}

TEST_CASE("diff: files are written whole, beside the text") {
  const CheckpointFolder files;
  files.write("a");
  files.write("b", {1, 2, 3.5F, 4});
  const CliResult result =
      files.diff({"a", "b", "--csv", "out", "--html", "r.html", "--markdown", "r.md", "--plot", "w"});
  CHECK(result.code == 1);
  CHECK(read_text_file(files.path() / "out/tensors.csv").find("w,float32,2;2,value,false,4,1,1;0,0.5") !=
        std::string::npos);
  CHECK(read_text_file(files.path() / "out/w.csv").find("2,3,3.5,-0.5,") != std::string::npos);
  CHECK(read_text_file(files.path() / "r.html").find("</html>") != std::string::npos);
  CHECK(read_text_file(files.path() / "r.md").find("| `w` |") != std::string::npos);
  CHECK(files.diff({"a", "b", "--markdown", "-"}).out.find("| `w` |") != std::string::npos);
  CHECK(files.diff({"a", "b", "--html", "no/such/folder.html"}).code == 3);
}

TEST_CASE("diff: runs of audits, and audits") {
  const FakeAudit audit;
  REQUIRE(audit.run().code == 0);
  const Cli cli = audit.cli();
  const std::string run = "audit/runs/deterministic-0";
  CHECK(cli({"diff", run, "audit/runs/deterministic-1"}).code == 0);
  CHECK(cli({"diff", run, run + "/weights.safetensors", "--only", "conv*"}).code == 0);
  const CliResult both = cli({"diff", "audit", "audit"});
  CHECK(both.code == 0);
  CHECK(both.out.find("2 comparisons") != std::string::npos);
  CHECK(cli({"diff", "audit", run}).code == 2);
  fs::remove(audit.path() / "runs/deterministic-1/result.json");
  CHECK(cli({"diff", run, "audit/runs/deterministic-1"}).code == 4);
}

}  // namespace

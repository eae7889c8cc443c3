#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "checkpoint_files.h"

namespace {

using namespace repro;
using Json = nlohmann::json;

TEST_CASE("inspect: tensors with dtype, shape, bytes and fingerprint") {
  const CheckpointFolder files;
  files.write("a");
  const CliResult result = files.inspect({"a"});
  CHECK(result.code == 0);
  CHECK(result.out.find("float32") != std::string::npos);
  CHECK(last_line(result.out) == "safetensors: 3 tensors, 6 values, 28 bytes");
  const Json json = Json::parse(files.inspect({"a", "--json", "--sha256"}).out);
  CHECK(json["file"] == "a");
  CHECK(json["format"] == "safetensors");
  CHECK(json["metadata"].is_object());
  REQUIRE(json["tensors"].size() == 3);
  CHECK(json["tensors"][0]["tensor"] == "w");
  CHECK(json["tensors"][0]["shape"] == Json::array({2, 2}));
  CHECK(json["tensors"][0]["bytes"] == 16);
  CHECK(json["tensors"][0]["fingerprint"].get<std::string>().size() == 16);
  CHECK(json["tensors"][0]["sha256"].get<std::string>().size() == 64);
}

TEST_CASE("inspect: equal contents give equal lines, other contents one other line") {
  const CheckpointFolder files;
  files.write("a");
  files.write("b");
  files.write("c", {1, 2, 3, 5});
  const std::string lines = files.inspect({"a", "--lines"}).out;
  CHECK(lines == files.inspect({"b", "--lines"}).out);
  CHECK(lines != files.inspect({"c", "--lines"}).out);
  CHECK(lines.starts_with("b\tfloat32\t[1]\t"));
}

TEST_CASE("inspect: the values of a tensor") {
  const CheckpointFolder files;
  files.write("a", {1, -0.0F, 0.1F, 4});
  const CliResult result = files.inspect({"a", "w"});
  CHECK(result.code == 0);
  CHECK(result.out.find("[0, 1]  -0  80000000\n[1, 0]  0.1  3dcccccd\n") != std::string::npos);
  const CliResult some = files.inspect({"a", "w", "--values", "1"});
  CHECK(some.out.find("3 more") != std::string::npos);
  const Json json = Json::parse(files.inspect({"a", "w", "--json"}).out);
  CHECK(json["values"] == Json::parse(R"([1, "-0", 0.1, 4])"));
  CHECK(json["bits"][2] == "3dcccccd");
  CHECK(Json::parse(files.inspect({"a", "n", "--json"}).out)["values"] == Json::array({7}));
}

TEST_CASE("inspect: exit codes") {
  const CheckpointFolder files;
  files.write("a");
  CHECK(files.inspect({}).code == 2);
  CHECK(files.inspect({"missing"}).code == 4);
  const CliResult near = files.inspect({"a", "ww"});
  CHECK(near.code == 2);
  CHECK(near.err.find("did you mean 'w'?") != std::string::npos);
  CHECK(files.inspect({"a", "w", "--values", "few"}).code == 2);
  CHECK(files.inspect({"a", "--json", "--lines"}).code == 2);
}

}  // namespace

#include "repro/spec/override.h"

#include "repro/spec/json_pointer.h"
#include "repro/spec/strict_json.h"
#include "spec_testing.h"

namespace repro {
namespace {

using testing::decode_with;
using testing::mistakes_with;
using List = std::vector<std::string>;

std::pair<std::string, std::string> trouble(const std::string& text) {
  try {
    parse_override(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::request);
    return {error.message(), error.hint()};
  }
  return {};
}

TEST_CASE("pointers are escaped and split") {
  CHECK(child_pointer("/a", "x/y~z") == "/a/x~1y~0z");
  CHECK(split_pointer("/a/x~1y~0z/") == List{"a", "x/y~z", ""});
  CHECK(split_pointer("") == List{});
  CHECK_FALSE(split_pointer("a"));
  CHECK_FALSE(split_pointer("/~"));
  CHECK_FALSE(split_pointer("/~2"));
}

TEST_CASE("an override that is malformed is refused with a hint") {
  CHECK(trouble("/name=digits") ==
        std::pair<std::string, std::string>{"--set '/name=digits': the value is not JSON",
                                            "text needs quotes: --set '/name=\"digits\"'"});
  CHECK(trouble("/name=2 runs").second == "text needs quotes: --set '/name=\"2 runs\"'");
  CHECK(trouble("training/epochs=3") ==
        std::pair<std::string, std::string>{"--set 'training/epochs=3': a pointer starts with '/'",
                                            "write --set '/training/epochs=...'"});
  CHECK(trouble("/training/epochs").first == "--set '/training/epochs': no '='; expected /pointer=JSON");
  CHECK(trouble("=3").first == "--set '=3': no pointer before '='; expected /pointer=JSON");
  CHECK(trouble("/a~=3").first == "--set '/a~=3': in a pointer, '~' is written ~0 and '/' ~1");
  CHECK(trouble("/a={\"b\": }")
            .first.starts_with("--set '/a={\"b\": }': the value is not valid JSON: line 1, column 7"));
  CHECK(trouble("/a=").first.find("unexpected end of input") != std::string::npos);
  CHECK(trouble("/a=[\"x=y\"]").first.empty());
  std::string deep = "/a";
  for (int i = 0; i < 32; ++i) deep += "/a";
  CHECK(trouble(deep + "=1").first.find("a pointer of 33 parts") != std::string::npos);
}

TEST_CASE("overrides change, create and append, the later one last") {
  const Spec spec = decode_with({"/training/epochs=3", "/training/epochs=4", "/execution/threads=2",
                                 "/model/layers/-={\"type\": \"relu\"}", "/model/layers/0/filters=9"});
  CHECK(spec.training.epochs == 4);
  CHECK(spec.execution.threads == 2);
  CHECK(spec.model.layers.size() == 2);
  CHECK(spec.model.layers[0].filters == 9);
}

TEST_CASE("a place that does not exist is a mistake among the others") {
  CHECK(mistakes_with({"/model/layers/1/filters=2", "/training/epochs=-1"}) ==
        List{"/model/layers/1/filters: --set: there is no such element; /model/layers has 1 "
             "element; allowed: 0 "
             "to 0, or a last - (appends one)",
             "/training/epochs: -1 is out of range; allowed: 0 to 1000000"});
  CHECK(mistakes_with({"/model/layers/-/filters=2"}).size() == 1);
  CHECK(mistakes_with({"/model/layers/00/filters=2"}).size() == 1);
  CHECK(mistakes_with({"/training/epochs/x=2"}) ==
        List{"/training/epochs/x: --set: there is no such place; /training/epochs is neither an "
             "object nor an array"});
  CHECK(mistakes_with({"/trainig/epochs=2"}) == List{"/trainig: unknown key; did you mean 'training'?"});
  CHECK(mistakes_with({R"(/seed={"cpu": 1, "cpu": 2})"}) == List{"/seed/cpu: duplicate key"});
}

}  // namespace
}  // namespace repro

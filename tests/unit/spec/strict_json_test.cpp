#include "repro/spec/strict_json.h"

#include "repro/base/random.h"
#include "spec_testing.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using testing::message_of;

std::string parse_message(std::string_view text) {
  return message_of([&] { parse_strict_json(text, "the spec"); });
}

TEST_CASE("numbers keep their text, members their order") {
  const JsonDocument document =
      parse_strict_json(R"({"b": [1e-400, 18446744073709551616, 1.50, -7], "a": 1e400})", "x");
  CHECK(document.root.keys == std::vector<std::string>{"b", "a"});
  const JsonValue& numbers = document.root.items[0];
  CHECK(numbers.items[0].text == "1e-400");
  CHECK(numbers.items[1].text == "18446744073709551616");
  CHECK(numbers.items[2].text == "1.50");
  CHECK(numbers.items[3].text == "-7");
  CHECK(document.root.items[1].text == "1e400");
}

TEST_CASE("every duplicate key is listed with its pointer") {
  const JsonDocument document = parse_strict_json(
      R"({"a": {"x/~": 1, "y": [0, {"z": 1, "z": 2}], "x/~": 3}, "b": {"x": 1}, "a": 1})", "x");
  CHECK(document.duplicates == std::vector<std::string>{"/a/y/1/z", "/a/x~1~0", "/a"});
}

TEST_CASE("what is not JSON is refused with its place") {
  CHECK(parse_message("{\n  \"a\": tru\n}") ==
        "the spec is not valid JSON: line 2, column 11: syntax error while parsing value - invalid "
        "literal; "
        "last read: '\"a\": tru<U+000A>'");
  CHECK_THAT(parse_message(""), ContainsSubstring("line 1, column 1") && ContainsSubstring("unexpected end"));
  CHECK_THAT(parse_message("{} {}"), ContainsSubstring("line 1, column 4"));
  // Columns are characters, not bytes.
  CHECK_THAT(parse_message("[\"\xC3\xA4\xC3\xB6\", x]"), ContainsSubstring("line 1, column 8"));
  for (const char* text : {"NaN", "[Infinity]", "{'a': 1}", "[1,]", "{\"a\": 1,}", "// x\n1", "01", "+1",
                           ".5", "1.", "\"\\ud800\"", "\"\\x\"", "[\"\t\"]"}) {
    INFO(text);
    CHECK_THAT(parse_message(text), StartsWith("the spec is not valid JSON: line "));
  }
}

TEST_CASE("bytes that are no text are refused") {
  CHECK_THAT(parse_message("\"\xC0\xAF\""), ContainsSubstring("UTF-8"));
  CHECK_THAT(parse_message("\"\xED\xA0\x80\""), ContainsSubstring("UTF-8"));
  CHECK(parse_message(std::string_view("{}\0{", 4)) ==
        "the spec is not valid JSON: line 1, column 3: a zero byte");
  CHECK(parse_message(std::string_view("\xFF\xFE{\0}\0", 6)) == "the spec is UTF-16; save it as UTF-8");
  CHECK(parse_strict_json("\xEF\xBB\xBF[1]", "x").root.items.size() == 1);
}

TEST_CASE("limits hold, and just below them all is well") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK_NOTHROW(parse_strict_json(nested(max_json_depth), "x"));
  CHECK_THAT(parse_message(nested(max_json_depth + 1)), ContainsSubstring("nested deeper than 64 levels"));
  CHECK_THAT(parse_message(std::string(1000000, '[')), ContainsSubstring("nested deeper"));
  std::string zeros = "[0";
  for (std::size_t i = 2; i < max_json_values; ++i) zeros += ",0";
  CHECK_NOTHROW(parse_strict_json(zeros + "]", "x"));
  CHECK_THAT(parse_message(zeros + ",0]"), ContainsSubstring("more than 1,000,000 values"));
  CHECK_THAT(parse_message(std::string(max_json_bytes + 1, ' ')), ContainsSubstring("16,777,217 bytes"));
}

TEST_CASE("law: every truncated prefix of a valid spec is an Error") {
  for (const std::string& name : testing::config_names()) {
    const std::string text = testing::config_text(name);
    const std::size_t end = text.rfind('}');
    for (std::size_t size = 0; size <= end; ++size) {
      INFO(name << " " << size);
      REQUIRE_THROWS_AS(decode_spec(text.substr(0, size), "x"), Error);
    }
    REQUIRE_NOTHROW(decode_spec(text.substr(0, end + 1), "x"));
  }
}

TEST_CASE("law: changed bytes give a spec or an Error, nothing else") {
  const std::string original = testing::config_text("tiny.json");
  RandomStream random(1, "changed bytes");
  for (int i = 0; i < 4000; ++i) {
    std::string text = original;
    for (std::uint32_t n = random.below(4) + 1; n > 0; --n) {
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(text.size()));
      if (random.below(2) == 0) {
        text[at] = static_cast<char>(random.below(256));
      } else {
        text.erase(at, random.below(5));
      }
    }
    INFO(text);
    try {
      const Spec spec = decode_spec(text, "x");
      REQUIRE(decode_spec(encode_spec(spec), "y") == spec);
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::request);
      REQUIRE(!error.message().empty());
    }
  }
}

}  // namespace
}  // namespace repro

#include "repro/base/text.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

namespace repro {
namespace {

TEST_CASE("displayable keeps what is safe and escapes what is not") {
  CHECK(displayable("conv1.weight") == "conv1.weight");
  CHECK(displayable("größe 층 😀") == "größe 층 😀");
  CHECK(displayable("a\nb\tc\r") == "a\\nb\\tc\\r");
  CHECK(displayable("\x1b[31mred\x1b]0;x\x07") == "\\x1b[31mred\\x1b]0;x\\x07");
  CHECK(displayable("back\\slash") == "back\\\\slash");
  CHECK(displayable(std::string_view("nul\0!", 5)) == "nul\\x00!");
  CHECK(displayable("\x7f") == "\\x7f");
  CHECK(displayable("\xc2\x9b"
                    "31m") == "\\x9b31m");  // C1 control
  CHECK(displayable("\xe2\x80\xae"
                    "abc") == "\\u{202E}abc");                               // right-to-left override
  CHECK(displayable("\xe2\x81\xa6x\xe2\x81\xa9") == "\\u{2066}x\\u{2069}");  // isolates
  CHECK(displayable("\xe2\x80\x8b") == "\\u{200B}");                         // zero width space
  CHECK(displayable("\xe2\x80\xa8") == "\\u{2028}");                         // line separator
}

TEST_CASE("displayable escapes invalid UTF-8 byte by byte") {
  CHECK(displayable("\xff\xfe") == "\\xff\\xfe");
  CHECK(displayable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong "/"
  CHECK(displayable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");           // overlong
  CHECK(displayable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // surrogate
  CHECK(displayable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  CHECK(displayable("a\xe2\x82") == "a\\xe2\\x82");                  // cut off
  CHECK(displayable("\xe2\x82Z") == "\\xe2\\x82Z");                  // cut off by another character
}

TEST_CASE("only well-formed UTF-8 is UTF-8") {
  for (const char* good : {"", "a", "größe 층 😀", "\x7f"}) CHECK(is_utf8(good));
  CHECK(is_utf8(std::string_view("a\0b", 3)));
  for (const char* bad :
       {"\xff", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xe2\x82"}) {
    CHECK_FALSE(is_utf8(bad));
  }
}

TEST_CASE("different texts stay different when displayed") {
  CHECK(displayable("\n") != displayable("\\n"));
  CHECK(displayable("\xff") != displayable("\\xff"));
}

TEST_CASE("nearest finds likely typos only, the first of equals") {
  const std::vector<std::string> keys = {"learning_rate", "beta1", "beta2", "epsilon"};
  CHECK(nearest("learning_rat", keys) == "learning_rate");
  CHECK(nearest("laerning_rate", keys) == "learning_rate");
  CHECK(nearest("beta3", keys) == "beta1");
  CHECK(nearest("epsilon", keys) == "epsilon");
  CHECK_FALSE(nearest("momentum", keys).has_value());
  CHECK_FALSE(nearest("x", {}).has_value());
  CHECK(nearest("rnus", std::vector<std::string>{"seed", "runs"}) == "runs");  // swapped neighbours
  CHECK_FALSE(nearest(std::string(100000, 'a'), keys).has_value());
}

TEST_CASE("globs match whole names") {
  CHECK(glob_matches("conv1.*", "conv1.weight"));
  CHECK_FALSE(glob_matches("conv1.*", "upconv1.weight"));
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("*", "a/b.c"));
  CHECK(glob_matches("", ""));
  CHECK_FALSE(glob_matches("", "a"));
  CHECK(glob_matches("conv?.bias", "conv2.bias"));
  CHECK_FALSE(glob_matches("conv?.bias", "conv.bias"));
  CHECK(glob_matches("conv[1-3].bias", "conv2.bias"));
  CHECK_FALSE(glob_matches("conv[1-3].bias", "conv4.bias"));
  CHECK(glob_matches("conv[!1-3].bias", "conv4.bias"));
  CHECK_FALSE(glob_matches("conv[!1-3].bias", "conv1.bias"));
  CHECK(glob_matches("a[]]b", "a]b"));
  CHECK(glob_matches("a[b", "a[b"));
  CHECK(glob_matches("*a*b*c", "xxaxxbxxc"));
  CHECK_FALSE(glob_matches("*a*b*c", "xxaxxcxxb"));
}

TEST_CASE("a glob with many stars does not take for ever") {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "*a";
  CHECK_FALSE(glob_matches(pattern + "b", std::string(5000, 'a')));
}

TEST_CASE("numbers and sizes for people") {
  CHECK(thousands(std::uint64_t{0}) == "0");
  CHECK(thousands(std::uint64_t{999}) == "999");
  CHECK(thousands(std::uint64_t{12609}) == "12,609");
  CHECK(thousands(std::numeric_limits<std::int64_t>::min()) == "-9,223,372,036,854,775,808");
  CHECK(plural(1, "run") == "1 run");
  CHECK(plural(1000, "run") == "1,000 runs");
  CHECK(join(std::vector<std::string>{"a", "b"}, ", ") == "a, b");
  CHECK(human_duration(0.131) == "131 ms");
  CHECK(human_duration(4.2) == "4.2 s");
  CHECK(human_duration(125) == "2 min 05 s");
  CHECK(human_duration(3720) == "1 h 02 min");
  CHECK(human_bytes(0) == "0 bytes");
  CHECK(human_bytes(812000000) == "812 MB");
  CHECK(human_bytes(1100000000) == "1.1 GB");
  CHECK(human_bytes(999999) == "1.0 MB");
}

}  // namespace
}  // namespace repro

#include "repro/report/escape.h"

#include <catch2/catch_test_macros.hpp>

namespace repro {
namespace {

TEST_CASE("file names for tensors") {
  CHECK(file_name_for("conv1.weight") == "conv1.weight");
  CHECK(file_name_for("가중치") == "가중치");
  CHECK(file_name_for("a/b\\c:d*e?f\"g<h>i|j%k") == "a%2Fb%5Cc%3Ad%2Ae%3Ff%22g%3Ch%3Ei%7Cj%25k");
  CHECK(file_name_for("../../etc/passwd") == "%2E.%2F..%2Fetc%2Fpasswd");
  CHECK(file_name_for(".") == "%2E");
  CHECK(file_name_for(std::string("a\n\x7f\0b", 5)) == "a%0A%7F%00b");
  CHECK(file_name_for("tensors") == "%74ensors");
  CHECK(file_name_for("tensors2") == "tensors2");
  CHECK(file_name_for("") == "%");
}

TEST_CASE("long file names are cut with a hash and stay different") {
  const std::string a(200, 'a');
  CHECK(file_name_for(a) == a);
  const std::string b = a + "b";
  const std::string c = a + "c";
  CHECK(file_name_for(b).size() == 200);
  CHECK(file_name_for(b) != file_name_for(c));
  CHECK(file_name_for(b)[183] == '~');
  // 61 characters of 3 bytes are 183 bytes; a cut within one would leave invalid UTF-8.
  std::string korean = "xx";
  for (int i = 0; i < 70; ++i) korean += "가";
  const std::string stem = file_name_for(korean);
  CHECK(stem.size() <= 200);
  CHECK((stem.find('~') - 2) % 3 == 0);
  std::string percents(100, '%');
  CHECK(file_name_for(percents).find('~') % 3 == 0);
}

TEST_CASE("markup in names stays text") {
  CHECK(html_text("<img src=x onerror=\"a('&')\">") ==
        "&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;");
  CHECK(html_text("a\x1b[2J\u202e") == "a\\x1b[2J\\u{202E}");
  CHECK(xml_text("a\x01z\xEF\xBF\xBF<") == "a\\x01z\\u{FFFF}<");
  CHECK(xml_text("bad\xff") == "bad\\xff");
  CHECK(markdown_text("a|b`c`*d*") == "a&#124;b&#96;c&#96;&#42;d&#42;");
  CHECK(markdown_text("a: http://x").find("://") == std::string::npos);
  CHECK(markdown_text("a: b") == "a: b");
  CHECK(markdown_code("conv1.weight") == "`conv1.weight`");
  CHECK(markdown_code("a|b") == "<code>a&#124;b</code>");
  CHECK(markdown_code("</code><b>").find("<b>") == std::string::npos);
  CHECK(markdown_text("a\n# b").find('\n') == std::string::npos);
}

TEST_CASE("JSON strings keep what is valid") {
  CHECK(json_text("가\x1b\n") == "가\x1b\n");
  CHECK(json_text("\xff") == "\\xff");
}

}  // namespace
}  // namespace repro

#include "repro/compare/rule.h"

#include <catch2/catch_test_macros.hpp>

#include "repro/base/error.h"

namespace {

using namespace repro;

TEST_CASE("rules are read and written alike") {
  for (const char* text :
       {"bitwise", "value", "ulp=0", "ulp=4", "ulp=18446744073709551615", "tolerance=0,0",
        "tolerance=1e-05,1e-08", "tolerance=0.5,3", "tolerance=5e-324,1.7976931348623157e+308"}) {
    CHECK(rule_text(parse_rule(text)) == text);
  }
  const Rule rule = parse_rule("tolerance=1e-5,0.25");
  CHECK(rule.type == Rule::Type::tolerance);
  CHECK(rule.relative == 1e-5);
  CHECK(rule.absolute == 0.25);
  CHECK(parse_rule("ulp=3").max_ulp == 3);
  CHECK(rule_text(parse_rule("tolerance=-0,-0")) == "tolerance=0,0");
}

TEST_CASE("anything else is no rule") {
  for (const char* text : {"",
                           " ",
                           "Bitwise",
                           "bitwise ",
                           "bit",
                           "value=1",
                           "ulp",
                           "ulp=",
                           "ulp=-1",
                           "ulp=+1",
                           "ulp=1.0",
                           "ulp=1 ",
                           "ulp= 1",
                           "ulp=18446744073709551616",
                           "ulp=0x1",
                           "ulp=nan",
                           "tolerance",
                           "tolerance=",
                           "tolerance=1",
                           "tolerance=1,",
                           "tolerance=,1",
                           "tolerance=1,2,3",
                           "tolerance=-1,0",
                           "tolerance=0,-1e-9",
                           "tolerance=nan,0",
                           "tolerance=0,inf",
                           "tolerance=0,Infinity",
                           "tolerance=1e999,0",
                           "tolerance=1, 2",
                           "tolerance=1,2x",
                           "tolerance=1,2\n"}) {
    CAPTURE(text);
    try {
      parse_rule(text);
      CHECK(text == std::string("refused"));
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::request);
      CHECK_FALSE(error.hint().empty());
      CHECK(error.message().find('\n') == std::string::npos);
    }
  }
}

}  // namespace

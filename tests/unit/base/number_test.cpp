#include "repro/base/number.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "repro/base/bytes.h"
#include "repro/base/random.h"

namespace repro {
namespace {

TEST_CASE("shortest reads back to the same bits") {
  RandomStream random(0, "doubles");
  for (int i = 0; i < 20000; ++i) {
    const auto bits = std::uint64_t{random.next()} << 32 | random.next();
    const auto value = std::bit_cast<double>(bits);
    if (std::isfinite(value)) {
      REQUIRE(std::bit_cast<std::uint64_t>(parse_double(shortest(value)).value()) == bits);
    }
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(narrow)) {
      // The shortest decimal of a float is nearer to it than to any other, also by way of a double.
      const auto back = static_cast<float>(parse_double(shortest(narrow)).value());
      REQUIRE(std::bit_cast<std::uint32_t>(back) == static_cast<std::uint32_t>(bits));
    }
  }
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(0.1F) == "0.1");
  CHECK(shortest(double{0.1F}) != "0.1");
  CHECK(shortest(-0.0) == "-0");
  CHECK(std::signbit(parse_double("-0").value()));
  CHECK(shortest(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(shortest(-std::numeric_limits<double>::infinity()) == "-Infinity");
  CHECK(shortest(std::numeric_limits<float>::infinity()) == "Infinity");
}

TEST_CASE("rounded is for people") {
  CHECK(rounded(1.17859) == "1.18");
  CHECK(rounded(1.2e-7) == "1.2e-07");
  CHECK(rounded(0) == "0");
  CHECK(rounded(std::numeric_limits<double>::quiet_NaN()) == "NaN");
}

TEST_CASE("parsing takes the whole text or nothing") {
  CHECK(parse_integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK(parse_unsigned("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(parse_double("1e-8") == 1e-8);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x10", "1.5", "9223372036854775808", "1e3"}) {
    CHECK_FALSE(parse_integer(text).has_value());
  }
  CHECK_FALSE(parse_unsigned("-1").has_value());
  for (const char* text : {"", " 1", "+1", "nan", "inf", "-Infinity", "1e400", "1.0f", "0x1p3"}) {
    CHECK_FALSE(parse_double(text).has_value());
  }
}

TEST_CASE("hexadecimal has full width") {
  CHECK(hex_of(1U) == "00000001");
  CHECK(hex_of(std::uint8_t{255}) == "ff");
  CHECK(hex_of(std::uint64_t{0xABCDEF}) == "0000000000abcdef");
  CHECK(to_hex(as_byte_view("\x01\xff")) == "01ff");
}

}  // namespace
}  // namespace repro

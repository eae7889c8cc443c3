#include "repro/tensor/element_change.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "repro/base/error.h"

namespace {

using namespace repro;

template <class T>
T changed(T value, DType dtype, const char* change) {
  change_element(std::as_writable_bytes(std::span(&value, 1)), dtype, parse_element_change(change, "test"));
  return value;
}
float changed(float value, const char* change) { return changed(value, DType::float32, change); }

template <class Work>
ErrorKind kind_of_error(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  throw std::logic_error("no error");
}

TEST_CASE("ulp moves along the representable values") {
  const float least = std::numeric_limits<float>::denorm_min();
  CHECK(changed(1.0F, "ulp=1") == std::nextafter(1.0F, 2.0F));
  CHECK(changed(1.0F, "ulp=-1") == std::nextafter(1.0F, 0.0F));
  CHECK(changed(-1.0F, "ulp=1") == std::nextafter(-1.0F, 0.0F));
  CHECK(changed(0.0F, "ulp=1") == least);
  CHECK(changed(-0.0F, "ulp=1") == least);  // both zeros are one point
  CHECK(changed(0.0F, "ulp=-1") == -least);
  CHECK(changed(-least, "ulp=2") == least);
  CHECK(std::signbit(changed(-least, "ulp=1")) == false);
  CHECK(changed(1.0, DType::float64, "ulp=3") == 1.0 + 3 * std::numeric_limits<double>::epsilon());
  CHECK(changed(std::uint16_t{0x3C00}, DType::float16, "ulp=1") == 0x3C01);
  CHECK(changed(std::uint16_t{0x3F80}, DType::bfloat16, "ulp=-1") == 0x3F7F);
  CHECK(changed(std::int32_t{-1}, DType::int32, "ulp=1") == 0);
  CHECK(changed(1.0F, "ulp=1") != 1.0F);
}

TEST_CASE("bits are flipped or set") {
  CHECK(std::bit_cast<std::uint32_t>(changed(0.0F, "bit=31")) == 0x80000000U);
  CHECK(std::bit_cast<std::uint32_t>(changed(1.0F, "bit=0")) == 0x3F800001U);
  CHECK(std::bit_cast<std::uint32_t>(changed(1.0F, "bits=7fc00001")) == 0x7FC00001U);
  CHECK(changed(std::uint8_t{1}, DType::boolean, "bit=0") == 0);
}

TEST_CASE("what cannot be changed is refused") {
  const auto refused = [](float value, const char* change) {
    return kind_of_error([&] { changed(value, change); }) == ErrorKind::unavailable;
  };
  const float largest = std::numeric_limits<float>::max();
  CHECK(refused(std::numeric_limits<float>::quiet_NaN(), "ulp=1"));
  CHECK(refused(std::numeric_limits<float>::infinity(), "ulp=-1"));
  CHECK(refused(largest, "ulp=1"));
  CHECK(refused(-largest, "ulp=-1"));
  CHECK(refused(1.0F, "ulp=9223372036854775807"));
  CHECK(refused(1.0F, "bit=32"));
  CHECK(refused(1.0F, "bits=100000000"));
  CHECK(changed(largest, "ulp=-1") < largest);
  CHECK(kind_of_error([] { changed(std::uint8_t{1}, DType::float8_e5m2, "ulp=1"); }) ==
        ErrorKind::unavailable);
  CHECK(kind_of_error([] { changed(std::uint8_t{1}, DType::boolean, "ulp=1"); }) == ErrorKind::unavailable);
}

TEST_CASE("changes are read back as they are written, and nothing else is read") {
  for (const char* text : {"ulp=1", "ulp=-7", "bit=0", "bit=63", "bits=0", "bits=7fc00001"}) {
    CHECK(text_of(parse_element_change(text, "test")) == text);
  }
  for (const char* text : {"", "ulp", "ulp=", "ulp=0", "ulp=1.5", "ulp=x", "bit=-1", "bit=64",
                           "bits=", "bits=xyz", "bits=10000000000000000", "sign", "ulp=1 "}) {
    CAPTURE(text);
    CHECK(kind_of_error([&] { parse_element_change(text, "--inject"); }) == ErrorKind::request);
  }
}

}  // namespace

#include <catch2/catch_test_macros.hpp>

#include "repro/base/parallel.h"
#include "repro/base/shared_array.h"

namespace repro {
namespace {

using Numbers = SharedArray<std::int64_t>;

TEST_CASE("an array shares its values with its copies") {
  const Numbers three = {1, 2, 3};
  const Numbers copy = three;
  CHECK(copy.data() == three.data());
  CHECK(std::vector(copy.begin(), copy.end()) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(copy[2] == 3);
  Numbers other = std::vector<std::int64_t>{1, 2, 3};
  CHECK(other == three);
  CHECK(other.data() != three.data());
  other = copy;
  CHECK(other.data() == three.data());
  const Numbers moved = std::move(other);
  CHECK(moved.data() == three.data());
  STATIC_CHECK(sizeof(Numbers) == sizeof(void*));
}

TEST_CASE("arrays are ordered as vectors are; an empty one holds nothing") {
  const Numbers empty = std::vector<std::int64_t>{};
  CHECK(empty.empty());
  CHECK(empty.data() == nullptr);
  CHECK(empty == Numbers());
  CHECK(empty < Numbers{-1});
  CHECK(Numbers{1, 2} < Numbers{1, 3});
  CHECK(Numbers{1, 2} < Numbers{1, 2, 0});
  CHECK(Numbers{1, 2} != Numbers{1});
}

TEST_CASE("copies of an array may be made and dropped by several threads") {
  const Numbers one = {7};
  std::atomic<std::int64_t> sum = 0;
  parallel_for(1000, 4, [&](std::uint64_t) {
    const Numbers copy = one;
    sum += copy[0];
  });
  CHECK(sum == 7000);
}

TEST_CASE("a shared text reads as a string") {
  const std::string zero("a\0b", 3);
  const SharedText text = zero;
  CHECK(text == zero);
  CHECK(text.view().size() == 3);
  CHECK(std::string(text) == zero);
  CHECK(SharedText("b") > text);
  CHECK(SharedText("") == SharedText());
  CHECK(SharedText().view().empty());
}

}  // namespace
}  // namespace repro

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "repro/compare/diff.h"
#include "tensors.h"

namespace {

using namespace repro;

std::vector<ValuePair> pairs(const Tensor& reference, const Tensor& candidate, bool only_different) {
  std::vector<ValuePair> result;
  visit_pairs(reference.view(), candidate.view(), only_different,
              [&](const ValuePair& pair) { result.push_back(pair); });
  return result;
}
std::vector<double> differences(const StoredTensor& reference, const StoredTensor& candidate) {
  std::vector<double> all;
  visit_differences(reference, candidate, [&](std::span<const double> block) {
    all.insert(all.end(), block.begin(), block.end());
  });
  return all;
}
std::string row(const ValuePair& pair) {
  return std::to_string(pair.index) + "," + pair.reference + "," + pair.candidate + "," + pair.difference +
         "," + pair.ulp + "," + pair.reference_bits + "," + pair.candidate_bits;
}
std::string row(const Tensor& reference, const Tensor& candidate) {
  return row(pairs(reference, candidate, false).at(0));
}

TEST_CASE("pairs are shown with exact bits beside readable numbers") {
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(row(floats({0.1F}), floats({0.1F})) == "0,0.1,0.1,0,0,3dcccccd,3dcccccd");
  CHECK(row(floats({1}), floats({std::nextafter(1.0F, 0.0F)})) ==
        "0,1,0.99999994,5.960464477539063e-08,1,3f800000,3f7fffff");
  CHECK(row(floats({0}), floats({-0.0F})) == "0,0,-0,0,0,00000000,80000000");
  CHECK(row(floats({inf}), floats({1})) == "0,Infinity,1,Infinity,,7f800000,3f800000");
  CHECK(row(floats({std::nanf("")}), floats({-inf})) == "0,NaN,-Infinity,NaN,,7fc00000,ff800000");
  CHECK(row(doubles({1}), doubles({-1})) == "0,1,-1,2,9214364837600034816,3ff0000000000000,bff0000000000000");
  CHECK(row(tensor_of<std::uint16_t>(DType::bfloat16, {0x3F80}),
            tensor_of<std::uint16_t>(DType::bfloat16, {0x3F81})) == "0,1,1.0078125,-0.0078125,1,3f80,3f81");
  CHECK(row(tensor_of<std::uint16_t>(DType::float16, {0x0001}),
            tensor_of<std::uint16_t>(DType::float16, {0x8001})) ==
        "0,5.9604645e-08,-5.9604645e-08,1.1920928955078125e-07,2,0001,8001");
  CHECK(row(tensor_of<std::uint8_t>(DType::float8_e4m3fn, {0x7E}),
            tensor_of<std::uint8_t>(DType::float8_e4m3fn, {0x7F})) == "0,448,NaN,NaN,,7e,7f");
}

TEST_CASE("integers have exact differences, booleans none") {
  using Limits = std::numeric_limits<std::int64_t>;
  CHECK(
      row(tensor_of<std::int64_t>(DType::int64, {Limits::min()}),
          tensor_of<std::int64_t>(DType::int64, {Limits::max()})) ==
      "0,-9223372036854775808,9223372036854775807,-18446744073709551615,,8000000000000000,7fffffffffffffff");
  CHECK(row(tensor_of<std::uint64_t>(DType::uint64, {~std::uint64_t{0}}),
            tensor_of<std::uint64_t>(DType::uint64, {0})) ==
        "0,18446744073709551615,0,18446744073709551615,,ffffffffffffffff,0000000000000000");
  CHECK(row(tensor_of<std::int8_t>(DType::int8, {-128}), tensor_of<std::int8_t>(DType::int8, {127})) ==
        "0,-128,127,-255,,80,7f");
  CHECK(row(tensor_of<std::uint8_t>(DType::boolean, {1}), tensor_of<std::uint8_t>(DType::boolean, {0})) ==
        "0,true,false,,,01,00");
  CHECK(row(tensor_of<std::uint8_t>(DType::boolean, {1}), tensor_of<std::uint8_t>(DType::boolean, {2})) ==
        "0,true,2,,,01,02");
}

TEST_CASE("a complex value is one row of two parts") {
  Tensor left(DType::complex64, {2}), right = left;
  const float one = 1, nan = std::nanf("");
  std::memcpy(right.storage.data() + 8, &one, 4);
  const auto rows = pairs(left, right, true);
  REQUIRE(rows.size() == 1);
  CHECK(row(rows[0]) == "1,0;0,1;0,-1;0,1065353216;0,00000000;00000000,3f800000;00000000");
  std::memcpy(right.storage.data() + 8, &nan, 4);
  CHECK(pairs(left, right, true).at(0).ulp == ";0");
  std::memcpy(right.storage.data() + 12, &nan, 4);
  CHECK(pairs(left, right, true).at(0).ulp.empty());
  CHECK(differences(right.view(), right.view())[0] == 0);
}

TEST_CASE("all pairs are visited in order, or those that differ") {
  std::vector<float> values(3000, 1.0F);
  const Tensor left = floats(values);
  CHECK(pairs(left, left, true).empty());
  for (const std::size_t i : {0U, 1023U, 1024U, 2999U}) values[i] = 2;
  const Tensor right = floats(values);
  const auto all = pairs(left, right, false), different = pairs(left, right, true);
  REQUIRE(all.size() == 3000);
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i].index == i);
  std::vector<std::uint64_t> found;
  for (const ValuePair& pair : different) {
    found.push_back(pair.index);
    CHECK(pair.bits_differ);
    CHECK(row(pair) == row(all[pair.index]));
  }
  CHECK(found == std::vector<std::uint64_t>{0, 1023, 1024, 2999});
}

TEST_CASE("differences are reference minus candidate") {
  CHECK(differences(floats({3, 1}).view(), floats({1, 2}).view()) == std::vector<double>{2, -1});
  CHECK(differences(tensor_of<std::int64_t>(DType::int64, {(1LL << 60) + 1, 1}).view(),
                    tensor_of<std::int64_t>(DType::int64, {1LL << 60, 2}).view()) ==
        std::vector<double>{1, -1});
  CHECK(differences(tensor_of<std::uint8_t>(DType::boolean, {1, 0, 1}).view(),
                    tensor_of<std::uint8_t>(DType::boolean, {0, 1, 1}).view()) ==
        std::vector<double>{1, -1, 0});
  Tensor left(DType::complex64, {1}), right = left;
  const float parts[] = {3, 4};
  std::memcpy(left.storage.data(), parts, sizeof(parts));
  CHECK(differences(left.view(), right.view()) == std::vector<double>{5});
  CHECK_THROWS_AS(differences(left.view(), floats({1}).view()), Error);
}

}  // namespace

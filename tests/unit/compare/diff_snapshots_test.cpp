#include <catch2/catch_test_macros.hpp>

#include "repro/base/error.h"
#include "repro/compare/diff.h"
#include "repro/snapshot/item.h"
#include "tensors.h"

namespace {

using namespace repro;
using K = DifferenceKind;

struct Tensors {
  Tensor one = floats({1}), two = floats({2}), long_one = floats({1, 1}), empty = floats({}),
         integer = tensor_of<std::int32_t>(DType::int32, {1}), zero = floats({0}),
         minus_zero = floats({-0.0F});
};

SnapshotDiff diff(const std::vector<Item>& reference, const std::vector<Item>& candidate,
                  const Filter& filter = {}, const char* rule = "bitwise") {
  return diff_snapshots(reference, candidate, {.rule = parse_rule(rule), .filter = filter});
}
std::vector<K> kinds(const SnapshotDiff& snapshot) {
  std::vector<K> result;
  for (const TensorDiff& row : snapshot.tensors) result.push_back(row.kind);
  return result;
}
Item unreadable(const char* name, const char* dtype, Shape shape) {
  return {name, TensorView{DType::uint8, std::move(shape), {}}, Role::none, "cannot be read yet", dtype};
}

TEST_CASE("verdicts: the first that applies") {
  const Tensors t;
  const auto item = [](const char* name, const Tensor& tensor) {
    return Item{name, tensor.view(), {}, "", ""};
  };
  const Item odd = unreadable("u", "F4", {2});
  const struct {
    const char* what;
    std::vector<Item> reference, candidate;
    Verdict verdict;
  } cases[] = {
      {"equal", {item("a", t.one)}, {item("a", t.one)}, Verdict::identical},
      {"a value", {item("a", t.one)}, {item("a", t.two)}, Verdict::different},
      {"nothing at all", {}, {}, Verdict::inconclusive},
      {"one side empty", {item("a", t.one)}, {}, Verdict::inconclusive},
      {"no common name", {item("a", t.one)}, {item("b", t.one)}, Verdict::inconclusive},
      {"missing in candidate", {item("a", t.one), item("b", t.one)}, {item("a", t.one)}, Verdict::different},
      {"missing in reference", {item("a", t.one)}, {item("a", t.one), item("b", t.one)}, Verdict::different},
      {"dtype", {item("a", t.one)}, {item("a", t.integer)}, Verdict::different},
      {"shape", {item("a", t.one)}, {item("a", t.long_one)}, Verdict::different},
      {"no value", {item("a", t.empty)}, {item("a", t.empty)}, Verdict::inconclusive},
      {"no value and a missing name",
       {item("a", t.empty)},
       {item("a", t.empty), item("b", t.one)},
       Verdict::different},
      {"no value beside a value",
       {item("a", t.empty), item("b", t.one)},
       {item("a", t.empty), item("b", t.one)},
       Verdict::identical},
      {"not compared", {item("a", t.one), odd}, {item("a", t.one), odd}, Verdict::inconclusive},
      {"not compared beside a difference",
       {item("a", t.one), odd},
       {item("a", t.two), odd},
       Verdict::different},
      {"only not compared", {odd}, {odd}, Verdict::inconclusive},
      {"not compared against another dtype", {odd}, {item("u", t.one)}, Verdict::different},
      {"not compared in another shape", {odd}, {unreadable("u", "F4", {4})}, Verdict::different},
  };
  for (const auto& c : cases) {
    CAPTURE(c.what);
    CHECK(diff(c.reference, c.candidate).verdict == c.verdict);
    CHECK(diff(c.candidate, c.reference).verdict == c.verdict);
  }
}

TEST_CASE("a rule can pass what differs in bits") {
  const Tensors t;
  const std::vector<Item> zero = {{"a", t.zero.view(), {}, "", ""}};
  const std::vector<Item> minus_zero = {{"a", t.minus_zero.view(), {}, "", ""}};
  CHECK(diff(zero, minus_zero).verdict == Verdict::different);
  const SnapshotDiff passed = diff(zero, minus_zero, {}, "value");
  CHECK(passed.verdict == Verdict::identical);
  CHECK(passed.values_different == 1);
}

TEST_CASE("rows stand in the reference's order, then what it lacks") {
  const Tensors t;
  const std::vector<Item> reference = {{"c", t.one.view(), Role::learnable, "", ""},
                                       {"a", t.one.view(), Role::buffer, "", ""},
                                       {"x", t.one.view(), Role::none, "", ""}};
  const std::vector<Item> candidate = {{"z", t.two.view(), Role::none, "", ""},
                                       {"a", t.two.view(), Role::none, "", ""},
                                       {"b", t.one.view(), Role::learnable, "", ""},
                                       {"x", t.one.view(), Role::prediction, "", ""}};
  const SnapshotDiff result = diff(reference, candidate);
  REQUIRE(result.tensors.size() == 5);
  const char* names[] = {"c", "a", "x", "z", "b"};
  const Role roles[] = {Role::learnable, Role::buffer, Role::prediction, Role::none, Role::learnable};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(result.tensors[i].name == names[i]);
    CHECK(result.tensors[i].role == roles[i]);
  }
  CHECK(kinds(result) == std::vector<K>{K::missing_in_candidate, K::value, K::equal, K::missing_in_reference,
                                        K::missing_in_reference});
  CHECK(result.tensors_compared == 2);
  CHECK(result.values_compared == 2);
  CHECK(result.values_different == 1);
  CHECK(result.tensors[0].within_rule == false);
  CHECK(result.tensors[3].dtype == DType::float32);
  CHECK(result.tensors[3].shape == Shape{1});
}

TEST_CASE("what is left out is counted and decides nothing") {
  const Tensors t;
  const std::vector<Item> reference = {{"conv1.weight", t.one.view(), Role::learnable, "", ""},
                                       {"conv1.bias", t.one.view(), Role::learnable, "", ""},
                                       {"input.mean", t.one.view(), Role::buffer, "", ""},
                                       {"predictions.pass1", t.one.view(), Role::prediction, "", ""},
                                       {"foreign", t.one.view(), Role::none, "", ""}};
  std::vector<Item> candidate = reference;
  candidate[1].tensor = t.two.view();
  const auto result = [&](Filter filter) { return diff(reference, candidate, filter); };
  CHECK(result({}).verdict == Verdict::different);
  CHECK(result({}).ignored == 0);
  CHECK(result({{}, {"*.bias"}}).verdict == Verdict::identical);
  CHECK(result({{}, {"*.bias"}}).ignored == 1);
  CHECK(result({{"*.bias"}, {}}).tensors.size() == 1);
  CHECK(result({{"*.bias", "*.weight"}, {"conv1.b*"}}).tensors.size() == 1);
  CHECK(result({{"nothing"}, {}}).verdict == Verdict::inconclusive);
  CHECK(result({{}, {}, Filter::Scope::learnables}).tensors.size() == 2);
  CHECK(result({{}, {}, Filter::Scope::learnables}).ignored == 3);
  CHECK(result({{}, {}, Filter::Scope::buffers}).verdict == Verdict::identical);

  // A role that only one side knows holds for both: nothing goes missing by the filter.
  for (Item& item : candidate) item.role = Role::none;
  CHECK(result({{}, {}, Filter::Scope::buffers}).verdict == Verdict::identical);
  CHECK(diff(candidate, reference, {{}, {}, Filter::Scope::buffers}).verdict == Verdict::identical);
}

TEST_CASE("a name that occurs twice is refused") {
  const Tensors t;
  const std::vector<Item> once = {{"a", t.one.view(), {}, "", ""}};
  const std::vector<Item> twice = {once[0], once[0]};
  CHECK_THROWS_AS(diff(twice, once), Error);
  CHECK_THROWS_AS(diff(once, twice), Error);
}

TEST_CASE("unreadable tensors keep their dtype's name and a reason") {
  const std::vector<Item> side = {unreadable("u", "F4", {2})};
  const SnapshotDiff same = diff(side, side);
  CHECK(kinds(same) == std::vector<K>{K::not_compared});
  CHECK(same.tensors[0].reason == "cannot be read yet");
  CHECK(same.tensors[0].foreign_dtype == "F4");
  CHECK_FALSE(same.tensors[0].within_rule);
  CHECK(same.tensors_compared == 0);
  CHECK(kinds(diff(side, {unreadable("u", "F6_E2M3", {2})})) == std::vector<K>{K::dtype});
  CHECK(kinds(diff(side, {unreadable("u", "", {2})})) == std::vector<K>{K::not_compared});
}

TEST_CASE("items of a file of ours stand in registration order") {
  const Tensors t;
  const std::vector<SnapshotEntry> entries = {{"z", Role::learnable, t.one.view()},
                                              {"a", Role::buffer, t.two.view()}};
  const Bytes bytes = safetensors_bytes(entries);
  const SafetensorsContent content = parse_safetensors(bytes, "x");
  CHECK(content.tensors[0].name == "a");
  const std::vector<Item> items = items_of(content);
  REQUIRE(items.size() == 2);
  CHECK(items[0].name == "z");
  CHECK(items[0].role == Role::learnable);
  CHECK(items[1].role == Role::buffer);
  CHECK(diff(items, items).verdict == Verdict::identical);
}

Item leaf(const char* name, const char* type, const char* value) {
  Item item;
  item.name = name;
  item.leaf = Leaf{type, value};
  return item;
}

TEST_CASE("leaves are compared by type and value, and alone never make identical") {
  const Tensors t;
  const Item tensor{"w", t.one.view(), {}, "", ""};
  const Item step = leaf("step", "int", "5");
  const auto verdict_and_kind = [&](std::vector<Item> reference, std::vector<Item> candidate,
                                    const char* rule = "bitwise") {
    const SnapshotDiff result = diff(reference, candidate, {}, rule);
    return std::pair(result.verdict, result.tensors.back().kind);
  };
  using V = Verdict;
  CHECK(verdict_and_kind({tensor, step}, {tensor, step}) == std::pair(V::identical, K::equal));
  CHECK(verdict_and_kind({tensor, step}, {tensor, leaf("step", "int", "6")}) ==
        std::pair(V::different, K::leaf));
  CHECK(verdict_and_kind({tensor, step}, {tensor, leaf("step", "float", "5")}) ==
        std::pair(V::different, K::leaf));
  CHECK(verdict_and_kind({tensor, step}, {tensor}) == std::pair(V::different, K::missing_in_candidate));
  CHECK(verdict_and_kind({tensor}, {tensor, step}) == std::pair(V::different, K::missing_in_reference));
  CHECK(verdict_and_kind({step}, {step}) == std::pair(V::inconclusive, K::equal));
  CHECK(verdict_and_kind({step}, {leaf("step", "int", "6")}) == std::pair(V::different, K::leaf));
  const Item same_name{"step", t.one.view(), {}, "", ""};
  CHECK(verdict_and_kind({tensor, step}, {tensor, same_name}) == std::pair(V::different, K::dtype));
  // Under every rule.
  CHECK(verdict_and_kind({tensor, step}, {tensor, leaf("step", "int", "6")}, "tolerance=1,100").first ==
        V::different);
}

TEST_CASE("leaves that one side cannot hold are left out and counted") {
  const Tensors t;
  const std::vector<Item> reference = {{"w", t.one.view(), {}, "", ""}, leaf("step", "int", "5")};
  const std::vector<Item> candidate = {{"w", t.one.view(), {}, "", ""}};
  const SnapshotDiff result = diff_snapshots(reference, candidate, {.with_leaves = false});
  CHECK(result.verdict == Verdict::identical);
  CHECK(result.leaves_left_out == 1);
  CHECK(result.leaves_compared == 0);
  CHECK(result.tensors.size() == 1);
  const SnapshotDiff both = diff_snapshots(reference, reference, {});
  CHECK(both.leaves_compared == 1);
  CHECK(both.tensors_compared == 1);
}

TEST_CASE("tied names are counted once, and differ where their tensor does") {
  const Tensors t;
  Item tied{"head", t.one.view(), {}, "", ""};
  tied.alias_of = "embedding";
  const std::vector<Item> reference = {{"embedding", t.one.view(), {}, "", ""}, tied};
  const SnapshotDiff equal = diff(reference, reference);
  CHECK(equal.tensors_compared == 1);
  CHECK(equal.values_compared == t.one.view().size());
  CHECK(equal.tensors.at(1).alias_of == "embedding");
  CHECK(equal.verdict == Verdict::identical);

  std::vector<Item> candidate = reference;
  candidate[0].tensor = candidate[1].tensor = t.two.view();
  const SnapshotDiff different = diff(reference, candidate);
  CHECK(different.tensors.at(1).kind == DifferenceKind::value);
  CHECK(different.tensors.at(1).name == "head");
  CHECK(different.values_different == different.tensors.at(0).different);

  candidate[1].alias_of = {};  // tied on one side only: two tensors
  candidate[1].tensor = t.one.view();
  const SnapshotDiff untied = diff(reference, candidate);
  CHECK(untied.tensors_compared == 2);
  CHECK(untied.tensors.at(1).kind == DifferenceKind::equal);
}

}  // namespace

#include "repro/compare/prefix.h"

#include <catch2/catch_test_macros.hpp>

#include "repro/base/error.h"

namespace {

using namespace repro;

std::vector<Item> named(const std::vector<std::string>& names) {
  std::vector<Item> items;
  for (const std::string& name : names) {
    Item item;
    item.name = name;
    items.push_back(item);
  }
  return items;
}
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

TEST_CASE("the prefix that makes most names match is found, on the side that has it") {
  const auto plain = named({"a.weight", "a.bias", "b.weight"});
  const auto wrapped = named({"module.a.weight", "module.a.bias", "module.b.weight", "x.b.weight"});
  const PrefixHint hint = find_prefix(plain, wrapped);
  CHECK(hint.prefix == "module.");
  CHECK_FALSE(hint.on_reference);
  CHECK(hint.matches == 3);
  CHECK(find_prefix(wrapped, plain).on_reference);
  CHECK(find_prefix(plain, plain).prefix.empty());
  CHECK(find_prefix(plain, named({"c", "module.d"})).prefix.empty());
  CHECK(find_prefix(plain, {}).prefix.empty());
}

TEST_CASE("names that match already are no reason to remove anything") {
  const auto left = named({"a", "module.a"});
  CHECK(find_prefix(left, left).prefix.empty());
}

TEST_CASE("a prefix is removed from names and aliases") {
  auto items = named({"module.a", "module.b", "c"});
  items[1].alias_of = "module.a";
  strip_prefix(items, "module.", "x");
  CHECK(names_of(items) == std::vector<std::string>{"a", "b", "c"});
  CHECK(items[1].alias_of == "a");
}

TEST_CASE("names never become equal or empty") {
  auto clash = named({"module.a", "a"});
  CHECK_THROWS_AS(strip_prefix(clash, "module.", "x"), Error);
  auto nothing = named({"module."});
  CHECK_THROWS_AS(strip_prefix(nothing, "module.", "x"), Error);
}

}  // namespace

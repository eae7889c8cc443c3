#include "repro/checkpoint/shard_index.h"

#include <catch2/catch_test_macros.hpp>

#include "unit/checkpoint/refusal.h"

namespace {

using namespace repro;
using namespace repro::test;

TEST_CASE("an index gives its shards in the order of their first mention") {
  const ShardIndex index = parse_shard_index(
      R"({"metadata":{"total_size":12,"more":[{"a":1,"a":2}]},"weight_map":{"b":"y.st","a":"sub/x.st","c":"y.st"}})",
      "x");
  CHECK(index.shards == std::vector<std::string>{"y.st", "sub/x.st"});
  REQUIRE(index.entries.size() == 3);
  CHECK(index.entries[1].tensor == "a");
  CHECK(index.entries[1].shard == 1);
  CHECK(index.entries[2].shard == 0);
  CHECK(index.total_size == 12);
  CHECK_FALSE(parse_shard_index(R"({"weight_map":{"a":"b"},"metadata":{"total_size":1.5}})", "x").total_size);
}

TEST_CASE("an index is known by its weight_map") {
  CHECK(is_shard_index(R"({"weight_map":{}})"));
  CHECK(is_shard_index(R"({"a":{"b":[1,2,{}]},"c":null,"weight_map":)"));
  for (const char* other : {"", "{}", "[]", R"(["weight_map"])", R"({"a":{"weight_map":1}})",
                            R"("weight_map")", R"({"a":"weight_map"})", "1", "{,", R"([{"weight_map":1}])"}) {
    CAPTURE(other);
    CHECK_FALSE(is_shard_index(other));
  }
  CHECK_FALSE(is_shard_index(std::string(1000000, '[')));
  CHECK_FALSE(is_shard_index(R"({"a":)" + std::string(1000000, '[')));
}

TEST_CASE("every fault of an index has its own message") {
  const auto map = [](const std::string& inside) { return R"({"weight_map":{)" + inside + "}}"; };
  const std::pair<std::string, const char*> cases[] = {
      {"", "it is not valid JSON at byte"},
      {"{\"weight_map\":", "it is not valid JSON at byte"},
      {map(R"("a":"b")") + "x", "it is not valid JSON at byte"},
      {"{\"\xFF\":1}", "it is not valid JSON at byte"},
      {"[]", "found an array, allowed is an object"},
      {"1", "found 1, allowed is an object"},
      {"{}", "the key 'weight_map' is missing"},
      {map(""), "its weight_map names no tensor"},
      {R"({"weight_map":[]})", "weight_map: found an array, allowed is an object"},
      {R"({"weight_map":null})", "weight_map: found null, allowed is an object"},
      {R"({"metadata":3})", "metadata: found 3, allowed is an object"},
      {map(R"("a":1)"), "tensor 'a': found 1, allowed is a file name"},
      {map(R"("a":true)"), "tensor 'a': found a boolean"},
      {map(R"("a":-1)"), "tensor 'a': found -1"},
      {map(R"("a":1.5)"), "tensor 'a': found 1.5"},
      {map(R"("a":{})"), "tensor 'a': found an object"},
      {map(R"("a":["b"])"), "tensor 'a': found an array"},
      {map(R"("a":"b","a":"b")"), "weight_map: the key 'a' occurs twice"},
      {R"({"weight_map":{"a":"b"},"weight_map":{"a":"b"}})", "the key 'weight_map' occurs twice"},
      {map(R"("a":"")"), "the file name '' is not allowed: it is empty"},
      {map(R"("a":"/etc/passwd")"), "it is an absolute path"},
      {map(R"("a":"../x")"), "the file name '../x' is not allowed: it leaves the folder of the index"},
      {map(R"("a":"b/../../x")"), "it leaves the folder of the index"},
      {map(R"("a":"b/..")"), "it leaves the folder of the index"},
      {map(R"("a":"./b")"), "a part of it is empty or '.'"},
      {map(R"("a":"b//c")"), "a part of it is empty or '.'"},
      {map(R"("a":"b/")"), "a part of it is empty or '.'"},
      {map(R"("a":"..\\x")"), "the file name '..\\\\x' is not allowed: it has a backslash"},
      {map(R"("a":"b\u0000")"), "the file name 'b\\x00' is not allowed: it has a control character"},
      {map(R"("\u001b[31m":"b\n")"), "tensor '\\x1b[31m': the file name 'b\\n' is not allowed"},
      {map("\"a\":\"" + std::string(5000, 'x') + "\""), "it is longer than 4,096 bytes"},
      {R"({"a":)" + std::string(40, '['), "values are nested deeper than the 32 levels that are allowed"},
  };
  for (const auto& [json, message] : cases) {
    CAPTURE(json);
    const std::string found = refusal([&] { parse_shard_index(json, "x.index.json"); });
    CHECK(found.starts_with("x.index.json: "));
    check_contains(found, message);
  }
}

TEST_CASE("every cut and every changed byte of an index gives an error or an index") {
  const std::string good = R"({"metadata":{"total_size":8},"weight_map":{"a":"x/y.st","b":"z.st"}})";
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK_FALSE(refusal([&] { parse_shard_index(good.substr(0, size), "x"); }).empty());
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int mask = 1; mask < 256; ++mask) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ mask);
      refusal([&] { parse_shard_index(changed, "x"); });
      is_shard_index(changed);
    }
  }
}

}  // namespace

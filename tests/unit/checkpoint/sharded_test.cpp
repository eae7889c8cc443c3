#include <catch2/catch_test_macros.hpp>

#include "unit/checkpoint/checkpoint_files.h"
#include "unit/checkpoint/refusal.h"
#include "unit/checkpoint/zip_builder.h"

namespace {

using namespace repro;
using namespace repro::test;

struct Shards {
  TemporaryFolder folder;
  fs::path index = folder / "model.index.json";

  Shards() {
    write_tensors(folder / "one.safetensors", {"b", "a"});
    write_tensors(folder / "two.safetensors", {"c"});
    write_map(R"("c":"two.safetensors","a":"one.safetensors","b":"one.safetensors")");
  }
  void write_map(const std::string& map, const std::string& metadata = R"("total_size":3)") const {
    write_file(index, R"({"metadata":{)" + metadata + R"(},"weight_map":{)" + map + "}}");
  }
  std::string refused() const {
    return refusal([&] { open_checkpoint(index); });
  }
};

TEST_CASE("a sharded set is one checkpoint") {
  const Shards shards;
  const Checkpoint c = open_checkpoint(shards.index);
  CHECK(c.format == CheckpointFormat::sharded);
  CHECK(names_of(c) == "c b a");
  CHECK(c.files.size() == 3);
  CHECK(c.remarks.empty());
  CHECK(c.metadata == std::map<std::string, std::string>{{"format", "pt"}});
  CHECK_NOTHROW(c.check_unchanged());
  CHECK(count_checkpoint_files(shards.index) == 1);
  CHECK(materialise(c.items[0].tensor).storage == Bytes{std::byte{1}});
}

TEST_CASE("an index must fit its shards") {
  const Shards shards;
  shards.write_map(R"("c":"two.safetensors","a":"one.safetensors","x":"one.safetensors")");
  check_contains(shards.refused(),
                 "tensor 'x' is not in the shard 'one.safetensors', where the index says it is");
  shards.write_map(R"("c":"one.safetensors","a":"one.safetensors","b":"two.safetensors")");
  check_contains(shards.refused(), "tensor 'c' is not in the shard 'one.safetensors'");
  shards.write_map(R"("c":"two.safetensors","a":"three.safetensors")");
  check_contains(shards.refused(), "three.safetensors: No such file or directory");
  write_tensors(shards.folder / "two.safetensors", {"c", "a"});
  shards.write_map(R"("c":"two.safetensors","a":"one.safetensors","b":"one.safetensors")");
  check_contains(shards.refused(),
                 "tensor 'a' is in the shards 'two.safetensors' and 'one.safetensors', one is allowed");
}

TEST_CASE("what an index does not list is read with a remark") {
  const Shards shards;
  shards.write_map(R"("c":"two.safetensors","b":"one.safetensors")", R"("total_size":5)");
  const Checkpoint c = open_checkpoint(shards.index);
  CHECK(names_of(c) == "c b a");
  REQUIRE(c.remarks.size() == 2);
  CHECK(c.remarks[0] == "1 tensor that the index does not list, the first is 'a'");
  CHECK(c.remarks[1] == "the index gives total_size as 5 bytes, its tensors have 3");
}

TEST_CASE("shards are safetensors or PyTorch") {
  const Shards shards;
  write_file(shards.folder / "two.safetensors", npy_file(npy_dictionary("|u1", "(1,)"), Bytes(1)));
  check_contains(shards.refused(),
                 "two.safetensors: a shard in the format npy found, allowed are safetensors and");
  write_file(shards.folder / "two.safetensors", R"({"weight_map":{"a":"b"}})");
  check_contains(shards.refused(), "two.safetensors: this is JSON");
}

TEST_CASE("a key is refused for shards, and JSON without a map for what it is") {
  const Shards shards;
  OpenOptions options;
  options.key = "model";
  check_contains(refusal([&] { open_checkpoint(shards.index, options); }, ErrorKind::request),
                 "the key 'model' is asked for, but a sharded checkpoint has no nesting");
  write_file(shards.index, R"({"a":1})");
  check_contains(shards.refused(), "the key 'weight_map' is missing; an index of shards is");
}

TEST_CASE("a shard that changes while it is read is noticed") {
  const Shards shards;
  const Checkpoint c = open_checkpoint(shards.index);
  fs::resize_file(shards.folder / "two.safetensors", 10);
  check_contains(refusal([&] { c.check_unchanged(); }), "two.safetensors: it had ");
}

}  // namespace

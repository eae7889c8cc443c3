#include <catch2/catch_test_macros.hpp>

#include "repro/checkpoint/checkpoint.h"
#include "unit/checkpoint/refusal.h"
#include "unit/checkpoint/zip_builder.h"

namespace {

using namespace repro;
using namespace repro::test;

Bytes floats(std::size_t count) {
  return npy_file(npy_dictionary("<f4", "(" + std::to_string(count) + ",)"), Bytes(count * 4, std::byte{1}));
}

TEST_CASE("stored and deflated arrays have the same values, whichever way they are packed") {
  const Bytes a = floats(3), b = npy_file(npy_dictionary("|u1", "(2, 2)", true), bytes_of_text("abcd"));
  std::vector<Bytes> first;
  for (const bool deflate : {false, true}) {
    ZipPart part_a{"a.npy", a, deflate}, part_b{"group/b.npy", b, deflate};
    part_a.local_zip64 = part_b.local_zip64 = true;
    const BuiltZip zip = build_zip({part_a, part_b, {"readme.txt", bytes_of_text("x")}});
    const Checkpoint c = parse_checkpoint(zip.bytes, "x.npz");
    CHECK(c.format == CheckpointFormat::npz);
    REQUIRE(c.items.size() == 2);
    CHECK(c.items[0].name == "a");
    CHECK(c.items[1].name == "group/b");
    CHECK(c.items[0].tensor.shape == Shape{3});
    CHECK(as_text(materialise(c.items[1].tensor).storage) == "acbd");
    CHECK(materialise(c.items[0].tensor).storage == Bytes(12, std::byte{1}));
    REQUIRE(c.remarks.size() == 1);
    CHECK(c.remarks[0] == "1 member without the ending .npy left out, the first is 'readme.txt'");
  }
}

TEST_CASE("an archive without arrays is read") {
  const Checkpoint c = parse_checkpoint(build_zip({}).bytes, "x.npz");
  CHECK(c.format == CheckpointFormat::npz);
  CHECK(c.items.empty());
}

TEST_CASE("damage is told with the member's name, when its values are asked for") {
  for (const bool deflate : {false, true}) {
    BuiltZip zip = build_zip({{"a.npy", floats(3), deflate}, {"b.npy", floats(3), deflate}});
    const std::size_t last = zip.directory_at - 1;
    zip.bytes[last] ^= std::byte{0x10};
    const Checkpoint c = parse_checkpoint(zip.bytes, "x.npz");
    REQUIRE(c.items.size() == 2);
    CHECK_NOTHROW(materialise(c.items[0].tensor));
    for (int i = 0; i < 2; ++i) {
      check_contains(refusal([&] { materialise(c.items[1].tensor); }), "x.npz: member 'b.npy': ");
    }
  }
}

TEST_CASE("faults of a member's header name the member") {
  const auto refusal_of = [](const Bytes& member, bool deflate) {
    const BuiltZip zip = build_zip({{"w.npy", member, deflate}});
    return refusal([&] { parse_checkpoint(zip.bytes, "x.npz"); });
  };
  for (const bool deflate : {false, true}) {
    check_contains(refusal_of(bytes_of_text("hello"), deflate),
                   "x.npz: member 'w.npy': it does not begin with NumPy's magic bytes");
    check_contains(refusal_of({}, deflate), "x.npz: member 'w.npy': it does not begin with NumPy's magic");
    check_contains(refusal_of(npy_file(npy_dictionary("<f4", "(2,)"), Bytes(9)), deflate),
                   "the shape [2] of <f4 takes 8 bytes, the file has 9 after its header");
    Bytes cut = npy_file(npy_dictionary("<f4", "(2,)"), {});
    cut.resize(50);
    check_contains(refusal_of(cut, deflate),
                   "the header claims 118 bytes, the file has 40 after the first 10");
  }
}

TEST_CASE("pickled objects in an archive are never looked at") {
  const Bytes object = npy_file(npy_dictionary("|O", "(1,)"), bytes_of_text("\x80\x04this is no pickle"));
  const BuiltZip zip = build_zip({{"o.npy", object, true}, {"a.npy", floats(1)}});
  const Checkpoint c = parse_checkpoint(zip.bytes, "x.npz");
  REQUIRE(c.items.size() == 2);
  CHECK(c.items[0].not_compared_reason == "Python objects are never loaded");
  CHECK(c.items[0].tensor.storage == nullptr);
  CHECK(c.items[1].not_compared_reason.empty());
}

TEST_CASE("every cut and every changed byte of an archive gives an error or its values") {
  const Bytes good = build_zip({{"a.npy", floats(2), true}, {"b.npy", floats(2)}}).bytes;
  const auto try_all = [](const Bytes& bytes) {
    return refusal([&] {
      const Checkpoint c = parse_checkpoint(bytes, "x.npz");
      for (const Item& item : c.items) {
        if (item.not_compared_reason.empty()) materialise(item.tensor);
      }
    });
  };
  CHECK(try_all(good).empty());
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK_FALSE(try_all(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))).empty());
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int mask : {0x01, 0x02, 0x10, 0x80, 0xFF}) {
      Bytes changed = good;
      changed[i] ^= static_cast<std::byte>(mask);
      try_all(changed);
    }
  }
}

}  // namespace

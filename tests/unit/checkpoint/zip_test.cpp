#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "repro/checkpoint/zip.h"
#include "unit/checkpoint/refusal.h"
#include "unit/checkpoint/zip_builder.h"

namespace {

using namespace repro;
using namespace repro::test;

std::string text_of(const ZipArchive& archive, const std::string& name) {
  const ZipMember* member = archive.find(name);
  REQUIRE(member != nullptr);
  const Bytes read = archive.read(*member, 1 << 20);
  const auto storage = archive.storage(*member);
  CHECK(storage->size_bytes() == member->size_bytes);
  const ByteView view = storage->bytes();
  CHECK(as_text(view) == as_text(read));
  return std::string(as_text(read));
}

TEST_CASE("every way of writing an archive gives the same members") {
  const Bytes hello = bytes_of_text("hello"), many(5000, std::byte{7});
  const Bytes padding = bytes_of_text(std::string("FB\x03\x00ZZZ", 7));
  for (const int descriptor : {0, 12, 16, 20, 24}) {
    for (const int variant : {0, 1, 2, 3}) {
      ZipPart first{"a/b", hello};
      first.descriptor_bytes = descriptor;
      first.local_extra = padding;
      first.local_zip64 = variant == 1 && descriptor == 0;
      ZipPart second{"many", many, true, 2};
      second.descriptor_bytes = descriptor;
      const bool zip64 = variant >= 2;
      const BuiltZip zip = build_zip({first, second, {"empty", {}}}, zip64, variant == 3 ? "a comment" : "");
      const ZipArchive archive(zip.bytes, "x.zip");
      REQUIRE(archive.members().size() == 3);
      CHECK(archive.members()[0].name == "a/b");
      CHECK(text_of(archive, "a/b") == "hello");
      CHECK(text_of(archive, "many") == std::string(5000, '\7'));
      CHECK(text_of(archive, "empty").empty());
      CHECK(archive.find("a") == nullptr);
      CHECK(archive.find("") == nullptr);
    }
  }
  CHECK(ZipArchive(build_zip({}).bytes, "x.zip").members().empty());
}

TEST_CASE("an archive whose members all claim the CRC-32 0 was written without checksums") {
  BuiltZip zip = build_zip({{"a", bytes_of_text("hello")}, {"b", bytes_of_text("world")}, {"empty", {}}});
  constexpr std::size_t local_crc = 14, central_crc = 16;  // APPNOTE 4.3.7 and 4.3.12
  const auto clear = [&](std::size_t member) {
    patch(zip.bytes, zip.local_at[member] + local_crc, std::uint32_t{0});
    patch(zip.bytes, zip.central_at[member] + central_crc, std::uint32_t{0});
  };
  CHECK(ZipArchive(zip.bytes, "x.zip").has_checksums());
  clear(0);  // one alone is damage
  const ZipArchive damaged(zip.bytes, "x.zip");
  CHECK(damaged.has_checksums());
  CHECK_THROWS_AS(damaged.storage(*damaged.find("a"))->bytes(), Error);
  clear(1);
  const ZipArchive without(zip.bytes, "x.zip");
  CHECK_FALSE(without.has_checksums());
  CHECK(text_of(without, "a") == "hello");
}

TEST_CASE("a stored member is not copied, and outlives the archive") {
  const BuiltZip zip = build_zip({{"a", bytes_of_text("hello")}});
  std::shared_ptr<const Storage> storage;
  {
    const ZipArchive archive(zip.bytes, "x.zip");
    storage = archive.storage(archive.members()[0]);
  }
  CHECK(storage->bytes().data() == zip.bytes.data() + zip.data_at[0]);
}

TEST_CASE("zip64 numbers are taken from the extra field of the directory") {
  Bytes extra;
  append(extra, std::uint16_t{1});
  append(extra, std::uint16_t{28});
  append(extra, std::uint64_t{5});
  append(extra, std::uint64_t{5});
  append(extra, std::uint64_t{0});
  append(extra, std::uint32_t{0});
  ZipPart part{"a", bytes_of_text("hello")};
  part.central_extra = extra;
  BuiltZip zip = build_zip({part}, true);
  const std::size_t at = zip.central_at[0];
  patch(zip.bytes, at + 20, ~std::uint32_t{0});
  patch(zip.bytes, at + 24, ~std::uint32_t{0});
  patch(zip.bytes, at + 34, std::uint16_t{0xFFFF});
  patch(zip.bytes, at + 42, ~std::uint32_t{0});
  patch(zip.bytes, zip.end_at + 10, std::uint16_t{0xFFFF});
  patch(zip.bytes, zip.end_at + 8, std::uint16_t{0xFFFF});
  patch(zip.bytes, zip.end_at + 12, ~std::uint32_t{0});
  patch(zip.bytes, zip.end_at + 16, ~std::uint32_t{0});
  CHECK(text_of(ZipArchive(zip.bytes, "x.zip"), "a") == "hello");
  // The extra field must hold what the header asks for.
  patch(zip.bytes, at + 46 + 1 + 2, std::uint16_t{23});
  check_contains(refusal([&] { ZipArchive(zip.bytes, "x.zip"); }),
                 "x.zip: member 'a': the place of the local header should stand in a zip64 extra field");
}

TEST_CASE("damaged contents are refused each time they are asked for") {
  for (const bool deflate : {false, true}) {
    BuiltZip zip = build_zip({{"w", Bytes(1000, std::byte{1}), deflate}});
    patch(zip.bytes, zip.central_at[0] + 16, std::uint32_t{0x12345678});
    patch(zip.bytes, zip.local_at[0] + 14, std::uint32_t{0x12345678});
    const ZipArchive archive(zip.bytes, "x.zip");
    const ZipMember& member = archive.members()[0];
    const auto storage = archive.storage(member);
    for (int i = 0; i < 2; ++i) {
      const std::string message = refusal([&] { storage->bytes(); });
      check_contains(message, "x.zip: member 'w': its data has the CRC-32 ");
      check_contains(message, ", the archive's directory says 12345678");
    }
    check_contains(refusal([&] { archive.read(member, 1000); }), "CRC-32");
    check_contains(refusal([&] { archive.read(member, 999); }), "it has 1,000 bytes, allowed are 999");
  }
}

TEST_CASE("a deflated member may be neither longer nor shorter than it says, small or large") {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{17} << 20}) {
    const Bytes data(size);
    const auto with_size = [&](std::size_t claimed) {
      BuiltZip zip = build_zip({{"w", data, true}});
      patch(zip.bytes, zip.central_at[0] + 24, static_cast<std::uint32_t>(claimed));
      patch(zip.bytes, zip.local_at[0] + 22, static_cast<std::uint32_t>(claimed));
      const ZipArchive archive(zip.bytes, "x.zip");
      return refusal([&] { archive.storage(archive.members()[0])->bytes(); });
    };
    CHECK(with_size(size).empty());
    check_contains(with_size(size - 1), "member 'w': it inflates to more than the ");
    check_contains(with_size(size + 1), "member 'w': it inflates to fewer than the ");
  }
}

TEST_CASE("a large deflated member goes through a temporary file, and can be fetched again") {
  Bytes data(std::size_t{17} << 20);
  for (std::size_t i = 0; i < data.size(); i += 4096) data[i] = static_cast<std::byte>(i >> 12);
  const BuiltZip zip = build_zip({{"w", data, true}});
  const ZipArchive archive(zip.bytes, "x.zip");
  const auto storage = archive.storage(archive.members()[0]);
  for (int i = 0; i < 2; ++i) {
    const ByteView view = storage->bytes();
    CHECK((view.size() == data.size() && std::equal(view.begin(), view.end(), data.begin())));
    CHECK(storage->bytes().data() == view.data());
    storage->release();
  }
  setenv("TMPDIR", "/nonexistent", 1);
  const std::string message = refusal([&] { storage->bytes(); }, ErrorKind::unavailable);
  unsetenv("TMPDIR");
  check_contains(message, "cannot write a temporary file in ");
  check_contains(message, "set TMPDIR");
}

TEST_CASE("a storage may be asked from several threads") {
  const BuiltZip zip =
      build_zip({{"s", Bytes(100000, std::byte{3})}, {"d", Bytes(100000, std::byte{3}), true}});
  const ZipArchive archive(zip.bytes, "x.zip");
  for (const ZipMember& member : archive.members()) {
    const auto storage = archive.storage(member);
    std::vector<std::thread> threads;
    std::vector<const std::byte*> seen(8);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      threads.emplace_back([&, i] { seen[i] = storage->bytes().data(); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::byte* address : seen) CHECK(address == seen[0]);
  }
}

}  // namespace

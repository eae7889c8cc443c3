#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "repro/checkpoint/zip.h"
#include "unit/checkpoint/refusal.h"
#include "unit/checkpoint/zip_builder.h"

namespace {

using namespace repro;
using namespace repro::test;

std::string refusal_of(const Bytes& bytes) {
  return refusal([&] {
    const ZipArchive archive(bytes, "x.zip");
    for (const ZipMember& member : archive.members()) archive.storage(member)->bytes();
  });
}

using Change = std::function<void(BuiltZip&)>;

template <class T>
Change local(std::size_t field, T value, std::size_t member = 0) {
  return [=](BuiltZip& zip) { patch(zip.bytes, zip.local_at[member] + field, value); };
}
template <class T>
Change central(std::size_t field, T value, std::size_t member = 0) {
  return [=](BuiltZip& zip) { patch(zip.bytes, zip.central_at[member] + field, value); };
}
template <class T>
Change both(std::size_t local_field, std::size_t central_field, T value) {
  return [=](BuiltZip& zip) {
    local(local_field, value)(zip);
    central(central_field, value)(zip);
  };
}
template <class T>
Change end(std::size_t field, T value) {
  return [=](BuiltZip& zip) { patch(zip.bytes, zip.end_at + field, value); };
}
template <class T>
Change end64(std::size_t field, T value) {
  return [=](BuiltZip& zip) { patch(zip.bytes, zip.zip64_end_at + field, value); };
}
template <class T>
Change locator(std::size_t field, T value) {
  return [=](BuiltZip& zip) { patch(zip.bytes, zip.locator_at + field, value); };
}

struct Case {
  Change change;
  const char* message;  // a part of it
};

void check_cases(const std::vector<ZipPart>& parts, bool zip64, const std::vector<Case>& cases) {
  REQUIRE(refusal_of(build_zip(parts, zip64).bytes).empty());
  for (const Case& c : cases) {
    BuiltZip zip = build_zip(parts, zip64);
    c.change(zip);
    const std::string message = refusal_of(zip.bytes);
    CHECK(message.starts_with("x.zip: "));
    check_contains(message, c.message);
  }
}

const std::vector<ZipPart> two = {{"a", bytes_of_text("hello")}, {"b", Bytes(100, std::byte{1}), true}};

TEST_CASE("every fault of a directory has its own message") {
  check_cases(
      two, false,
      {{central(0, std::uint32_t{0}), "entry 1 of the zip archive's directory is missing or damaged"},
       {central(0, std::uint32_t{0}, 1), "entry 2 of the zip archive's directory is missing or damaged"},
       {central(28, std::uint16_t{999}),
        "entry 1 of the zip archive's directory claims 1,045 bytes, 94 are left"},
       {central(46, '\0'), "entry 1 of the zip archive's directory: the name '\\x00' is empty, not UTF-8"},
       {central(46, '\xFF'), "the name '\\xff' is empty, not UTF-8, or holds a NUL"},
       {central(8, std::uint16_t{1}), "member 'a': it is encrypted"},
       {central(8, std::uint16_t{0x2000}), "member 'a': it is encrypted"},
       {central(8, std::uint16_t{0x20}), "member 'a': its flags 0x0020 are not known"},
       {central(10, std::uint16_t{14}),
        "member 'a': it is compressed with method 14 (LZMA), allowed are stored (0) and deflated (8)"},
       {central(10, std::uint16_t{77}), "method 77, allowed"},
       {central(34, std::uint16_t{1}), "member 'a': it begins in another part of the archive"},
       {central(24, std::uint32_t{6}), "it is stored, but has 5 packed and 6 unpacked bytes"},
       {central(24, ~std::uint32_t{0}), "the unpacked size should stand in a zip64 extra field"},
       {central(42, std::uint32_t{1}), "1 byte before it, the first member, none are allowed"},
       {central(42, std::uint32_t{2}, 1), "member 'b': it begins at byte 2 and overlaps the one before it"},
       {central(42, std::uint32_t{37}, 1), "member 'b': it begins at byte 37, which leaves a hole"},
       {central(24, std::uint32_t{1000000}, 1), "member 'b': the unpacked size is 100 in its local header"},
       {end(4, std::uint16_t{1}), "the zip archive is one of several parts"},
       {end(8, std::uint16_t{1}), "the zip archive is one of several parts"},
       {end(10, std::uint16_t{9}), "the zip archive is one of several parts"},
       {[](BuiltZip& zip) {
          end(8, std::uint16_t{3})(zip);
          end(10, std::uint16_t{3})(zip);
        },
        "the zip archive claims 3 members, the 94 bytes of its directory hold at most 2"},
       {[](BuiltZip& zip) {
          end(8, std::uint16_t{1})(zip);
          end(10, std::uint16_t{1})(zip);
        },
        "the zip archive's directory has 47 bytes after its 1 entry, none are allowed"},
       {end(12, std::uint32_t{95}), "the zip archive's directory is said to have 95 bytes from byte "},
       {end(16, std::uint32_t{7}), "from byte 7 on, its end record begins at byte "},
       {end(16, ~std::uint32_t{0}), "from byte 4,294,967,295 on"},
       {end(20, std::uint16_t{1}), "the end of the zip archive is missing; is the file complete?"},
       {end(0, std::uint32_t{0}), "the end of the zip archive is missing; is the file complete?"},
       {[](BuiltZip& zip) { zip.bytes.push_back(std::byte{0}); }, "the end of the zip archive is missing"}});
}

TEST_CASE("every disagreement of a local header has its own message") {
  check_cases(
      two, false,
      {{local(0, std::uint32_t{0}), "member 'a': there is no local header at byte 0"},
       {local(6, std::uint16_t{2}), "member 'a': the flags word is 0x0002 in its local header and 0x0000 in"},
       {local(8, std::uint16_t{8}), "member 'a': the method is 8 in its local header and 0 in the archive's"},
       {local(14, std::uint32_t{1}),
        "member 'a': the CRC-32 is 00000001 in its local header and 3610a686 in"},
       {local(14, std::uint32_t{0}), "member 'a': the CRC-32 is 00000000 in its local header"},
       {local(18, std::uint32_t{4}), "member 'a': the packed size is 4 in its local header and 5 in"},
       {local(22, std::uint32_t{4}), "member 'a': the unpacked size is 4 in its local header and 5 in"},
       {local(22, std::uint32_t{0}), "member 'a': the unpacked size is 0 in its local header and 5 in"},
       {local(26, std::uint16_t{0}), "member 'a': the name is '' in its local header and 'a' in"},
       {local(30, 'b'), "member 'a': the name is 'b' in its local header and 'a' in"},
       {local(26, std::uint16_t{0xFFFF}), "member 'a': the local header claims 65,565 bytes, "},
       {local(28, std::uint16_t{2}), "member 'b': it begins at byte 36 and overlaps the one before it"},
       {local(28, std::uint16_t{5}), "member 'a': an extra field claims "},
       {both(22, 24, std::uint32_t{6}), "it is stored, but has 5 packed and 6 unpacked bytes"},
       {[](BuiltZip& zip) {
          const std::size_t at = zip.local_at[1];
          zip.bytes[at + 30] = zip.bytes[zip.central_at[1] + 46] = std::byte{'a'};
        },
        "member 'a': the name occurs twice"},
       {[](BuiltZip& zip) {  // one byte of deflated data more
          const std::size_t packed = zip.directory_at - zip.data_at[1];
          zip.bytes.insert(zip.bytes.begin() + static_cast<std::ptrdiff_t>(zip.directory_at), std::byte{0});
          for (std::size_t& at : zip.central_at) ++at;
          ++zip.end_at;
          end(16, static_cast<std::uint32_t>(zip.directory_at + 1))(zip);
          central(20, static_cast<std::uint32_t>(packed + 1), 1)(zip);
          local(18, static_cast<std::uint32_t>(packed + 1), 1)(zip);
        },
        "member 'b': 1 byte after the end of its deflated data, none are allowed"},
       {[](BuiltZip& zip) {
          central(24, std::uint32_t{1000000}, 1)(zip);
          local(22, std::uint32_t{1000000}, 1)(zip);
        },
        "member 'b': it claims 1,000,000 bytes, its 6 deflated bytes hold at most 6,256"},
       {[](BuiltZip& zip) { zip.bytes[zip.data_at[1]] = std::byte{7}; },
        "member 'b': its deflated data is damaged"},
       {[](BuiltZip& zip) { zip.bytes[zip.data_at[0]] ^= std::byte{1}; },
        "member 'a': its data has the CRC-32"}});
}

TEST_CASE("sizes must fit before the directory") {
  // A single member, so that nothing behind it is overlapped first.
  check_cases({{"a", bytes_of_text("hello")}}, false,
              {{[](BuiltZip& zip) {
                  for (const std::size_t field : {18U, 22U}) local(field, std::uint32_t{99})(zip);
                  for (const std::size_t field : {20U, 24U}) central(field, std::uint32_t{99})(zip);
                },
                "member 'a': it claims 99 packed bytes, 5 are left before the archive's directory"},
               {[](BuiltZip& zip) {
                  for (const std::size_t field : {18U, 22U}) local(field, std::uint32_t{3})(zip);
                  for (const std::size_t field : {20U, 24U}) central(field, std::uint32_t{3})(zip);
                },
                "2 bytes between the zip archive's last member and its directory belong to nothing"}});
}

TEST_CASE("a data descriptor must say the same as the directory") {
  for (const int length : {12, 16, 20, 24}) {
    std::vector<ZipPart> parts = two;
    parts[0].descriptor_bytes = length;
    const std::size_t begin = 5, count = static_cast<std::size_t>(length);
    std::vector<Case> cases;
    for (std::size_t i = 0; i < count; ++i) {
      cases.push_back({[=](BuiltZip& zip) { zip.bytes[zip.data_at[0] + begin + i] ^= std::byte{4}; },
                       "member 'a': its data descriptor does not say the same as the archive's directory"});
    }
    cases.push_back({local(14, std::uint32_t{1}), "the CRC-32 is 00000001 in its local header"});
    cases.push_back({local(18, std::uint32_t{1}), "the packed size is 1 in its local header"});
    check_cases(parts, false, cases);
  }
  BuiltZip zip = build_zip(two);
  both(6, 8, std::uint16_t{8})(zip);
  check_contains(refusal_of(zip.bytes), "its data descriptor has 0 bytes, allowed are 12, 16, 20 or 24");
}

TEST_CASE("every fault of a zip64 end has its own message") {
  check_cases(two, true,
              {{locator(4, std::uint32_t{1}), "the zip archive is one of several parts"},
               {locator(16, std::uint32_t{2}), "the zip archive is one of several parts"},
               {locator(8, ~std::uint64_t{0}),
                "the zip64 end record is said to begin at byte 18,446,744,073,709,551,615"},
               {locator(8, std::uint64_t{3}), "there is no zip64 end record at byte 3"},
               {end64(4, std::uint64_t{45}), "the zip64 end record claims 45 bytes, it has 44"},
               {end64(4, ~std::uint64_t{0}), "the zip64 end record claims 18,446,744,073,709,551,615 bytes"},
               {end64(16, std::uint32_t{1}), "the zip archive is one of several parts"},
               {end64(24, std::uint64_t{3}), "the zip archive is one of several parts"},
               {end64(40, std::uint64_t{3}),
                "the size of the directory is 94 in the zip archive's end record and 3 in"},
               {end64(48, std::uint64_t{3}), "the directory's place is "},
               {[](BuiltZip& zip) {
                  end64(24, ~std::uint64_t{0})(zip);
                  end64(32, ~std::uint64_t{0})(zip);
                  end(8, std::uint16_t{0xFFFF})(zip);
                  end(10, std::uint16_t{0xFFFF})(zip);
                },
                "the zip archive claims 18,446,744,073,709,551,615 members"},
               {[](BuiltZip& zip) {
                  end64(40, ~std::uint64_t{0})(zip);
                  end(12, ~std::uint32_t{0})(zip);
                },
                "the zip archive's directory is said to have 18,446,744,073,709,551,615 bytes"}});
}

TEST_CASE("extra fields are read with care") {
  const auto with_extra = [](const std::string& extra) {
    ZipPart part{"a", bytes_of_text("hello")};
    part.central_extra = bytes_of_text(extra);
    return refusal_of(build_zip({part}).bytes);
  };
  CHECK(with_extra("").empty());
  CHECK(with_extra(std::string(3, '\0')).empty());
  CHECK(with_extra(std::string("UT\x01\x00z\x00", 6)).empty());
  check_contains(with_extra(std::string("UT\x02\x00z", 5)), "an extra field claims 2 bytes, 1 are left");
  check_contains(with_extra(std::string("\x01\x00\x00\x00\x01\x00\x00\x00", 8)),
                 "it has two zip64 extra fields");
}

TEST_CASE("two places that could be the end are refused") {
  BuiltZip zip = build_zip({{"a", bytes_of_text("hello")}}, false, std::string(30, 'x'));
  // The comment's last 22 bytes look like an end record without a comment.
  const std::size_t at = zip.bytes.size() - 22;
  std::memset(zip.bytes.data() + at, 0, 22);
  patch(zip.bytes, at, std::uint32_t{0x06054B50});
  check_contains(refusal_of(zip.bytes), "two places of the zip archive could be its end");
}

TEST_CASE("hostile names are shown escaped") {
  BuiltZip zip = build_zip({{"\x1b[31m\n", bytes_of_text("hello")}});
  zip.bytes[zip.data_at[0]] ^= std::byte{1};
  check_contains(refusal_of(zip.bytes), "x.zip: member '\\x1b[31m\\n': ");
}

TEST_CASE("every cut is refused, every changed byte gives an error or an archive") {
  for (const bool zip64 : {false, true}) {
    std::vector<ZipPart> parts = two;
    parts[1].descriptor_bytes = zip64 ? 24 : 0;
    const Bytes good = build_zip(parts, zip64).bytes;
    for (std::size_t size = 0; size < good.size(); ++size) {
      CHECK_FALSE(refusal_of(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))).empty());
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
      for (int mask = 1; mask < 256; mask += 2) {
        Bytes changed = good;
        changed[i] ^= static_cast<std::byte>(mask);
        refusal_of(changed);  // checks the kind of the error
      }
    }
  }
}

}  // namespace

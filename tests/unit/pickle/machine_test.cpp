#include "repro/pickle/machine.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/pickle_text.h"

namespace {

using namespace repro;
namespace p = repro::test::pickle;

// A tree with the bytes that it looks into.
struct Pickle {
  std::string bytes;
  PickleTree tree;
  explicit Pickle(std::string text)
      : bytes(std::move(text)), tree(read_pickle(as_byte_view(bytes), "a.pkl")) {}
  PickleNode root() const { return tree.root(); }
  PickleNode at(std::size_t i) const { return tree.elements(root())[i]; }
};
Pickle value(const std::string& opcodes) { return Pickle(p::whole(opcodes)); }

using namespace std::string_literals;

TEST_CASE("constants and numbers of every width") {
  const Pickle none = value("N");
  CHECK(none.tree.kind(none.root()) == PickleKind::none);
  const Pickle yes = value("\x88"), no = value("I00\n");
  CHECK(yes.tree.boolean(yes.root()));
  CHECK(no.tree.kind(no.root()) == PickleKind::boolean);
  CHECK_FALSE(no.tree.boolean(no.root()));
  const auto integer = [](const std::string& opcodes) {
    const Pickle pickle = value(opcodes);
    REQUIRE(pickle.tree.kind(pickle.root()) == PickleKind::integer);
    return pickle.tree.integer(pickle.root());
  };
  CHECK(integer("K\xFF") == 255);
  CHECK(integer("M\xFF\xFF") == 65535);
  CHECK(integer("J\xFE\xFF\xFF\xFF") == -2);
  CHECK(integer("J\x00\x00\x00\x80"s) == -2147483648LL);
  CHECK(integer("\x8A\x00"s) == 0);
  CHECK(integer("\x8A\x01\x80") == -128);
  CHECK(integer("\x8A\x02\x80\x00"s) == 128);
  CHECK(integer("\x8B\x02\x00\x00\x00\x00\x01"s) == 256);
  CHECK(integer(p::integer(INT64_MIN)) == INT64_MIN);
  CHECK(integer("I-17\n") == -17);
  CHECK(integer("L123L\n") == 123);
  const auto floating = [](const std::string& opcodes) {
    const Pickle pickle = value(opcodes);
    REQUIRE(pickle.tree.kind(pickle.root()) == PickleKind::floating);
    return pickle.tree.floating(pickle.root());
  };
  CHECK(floating(p::floating(0.1)) == 0.1);
  CHECK(std::signbit(floating(p::floating(-0.0))));
  CHECK(floating("F-2.5e3\n") == -2500);
  CHECK(floating("F-inf\n") == -INFINITY);
  CHECK(std::isnan(floating("Fnan\n")));
}

TEST_CASE("integers above 64 bits are decimal text") {
  const auto decimal = [](const std::string& little_endian) {
    const Pickle pickle =
        value("\x8A" + std::string(1, static_cast<char>(little_endian.size())) + little_endian);
    REQUIRE(pickle.tree.kind(pickle.root()) == PickleKind::big_integer);
    return std::string(pickle.tree.text(pickle.root()));
  };
  CHECK(decimal(std::string(8, '\0') + "\x01"s) == "18446744073709551616");
  CHECK(decimal(std::string(8, '\0') + "\x80"s) == "-2361183241434822606848");
  CHECK(decimal(std::string(7, '\xFF') + "\xFF\x00"s) == "18446744073709551615");
  CHECK(decimal(std::string(8, '\xFF') + "\x7F"s) == "2361183241434822606847");
  const Pickle line = value("L-123456789012345678901234567890L\n");
  CHECK(line.tree.text(line.root()) == "-123456789012345678901234567890");
}

TEST_CASE("texts and bytes of every form") {
  for (const std::string& opcodes :
       {p::text("h\xC3\xA9"), "\x8C\x03h\xC3\xA9"s, "\x8D\x03"s + std::string(7, '\0') + "h\xC3\xA9",
        "U\x03h\xC3\xA9"s, "T\x03"s + std::string(3, '\0') + "h\xC3\xA9"}) {
    const Pickle pickle = value(opcodes);
    CHECK(pickle.tree.kind(pickle.root()) == PickleKind::text);
    CHECK(pickle.tree.text(pickle.root()) == "h\xC3\xA9");
  }
  for (const std::string& opcodes : {"Va b\n"s, "S'a b'\n"s, "S\"a b\"\n"s}) {
    const Pickle pickle = value(opcodes);
    CHECK(pickle.tree.text(pickle.root()) == "a b");
  }
  for (const std::string& opcodes : {"C\x02\x00\xFF"s, "B\x02"s + std::string(3, '\0') + "\x00\xFF"s,
                                     "\x8E\x02"s + std::string(7, '\0') + "\x00\xFF"s}) {
    const Pickle pickle = value(opcodes);
    CHECK(pickle.tree.kind(pickle.root()) == PickleKind::bytes);
    CHECK(pickle.tree.text(pickle.root()) == "\x00\xFF"s);
  }
  const Pickle array = value("\x96\x01"s + std::string(7, '\0') + "x");
  CHECK(array.tree.kind(array.root()) == PickleKind::byte_array);
  const Pickle empty = value(p::text(""));
  CHECK(empty.tree.text(empty.root()).empty());
}

TEST_CASE("containers keep their elements in order, however they were filled") {
  const Pickle dict = value("}" + p::text("b") + "K\x01s(" + p::text("a") + "K\x02K\x03Nu");
  CHECK(dict.tree.kind(dict.root()) == PickleKind::dict);
  REQUIRE(dict.tree.elements(dict.root()).size() == 6);
  CHECK(dict.tree.text(dict.at(2)) == "a");
  CHECK(dict.tree.integer(dict.at(3)) == 2);
  for (const std::string& opcodes : {"](K\x01K\x02K\x03"
                                     "e"s,
                                     "]K\x01"
                                     "aK\x02"
                                     "aK\x03"
                                     "a"s,
                                     "(K\x01K\x02K\x03l"s, "(K\x01K\x02K\x03t"s, "K\x01K\x02K\x03\x87"s,
                                     "(K\x01K\x02K\x03\x91"s, "\x8F(K\x01K\x02K\x03\x90"s}) {
    const Pickle pickle = value(opcodes);
    REQUIRE(pickle.tree.elements(pickle.root()).size() == 3);
    CHECK(pickle.tree.integer(pickle.at(2)) == 3);
  }
  const Pickle old_dict = value("(" + p::text("a") + "Nd");
  CHECK(old_dict.tree.elements(old_dict.root()).size() == 2);
  const Pickle single = value("K\x01\x85"), pair = value("K\x01N\x86");
  CHECK(single.tree.elements(single.root()).size() == 1);
  CHECK(pair.tree.elements(pair.root()).size() == 2);
}

TEST_CASE("lists that grow in turn keep their elements") {
  std::string opcodes =
      "]q\x01"
      "0]q\x02"
      "0";  // two lists, only in the memo
  for (int i = 0; i < 1000; ++i) {
    opcodes += "h\x01" + p::integer(i) + "a0h\x02" + p::integer(-i) + "a0";
  }
  const Pickle pickle = Pickle("\x80\x02Nq" + std::string(1, '\0') + "0" + opcodes + "h\x01h\x02\x86.");
  for (int i = 0; i < 1000; ++i) {
    CHECK(pickle.tree.integer(pickle.tree.elements(pickle.at(0))[static_cast<std::size_t>(i)]) == i);
    CHECK(pickle.tree.integer(pickle.tree.elements(pickle.at(1))[static_cast<std::size_t>(i)]) == -i);
  }
  CHECK(pickle.tree.link_count() < 10'000);
}

TEST_CASE("what Python would import and call is written down") {
  const Pickle pickle = value(p::global("posix", "system") + p::text("rm -rf /") + "\x85R");
  REQUIRE(pickle.tree.kind(pickle.root()) == PickleKind::call);
  const PickleCall call = pickle.tree.call(pickle.root());
  CHECK(pickle.tree.global(call.callable).module == "posix");
  CHECK(pickle.tree.global(call.callable).name == "system");
  CHECK(pickle.tree.text(pickle.tree.elements(call.arguments)[0]) == "rm -rf /");
  CHECK(call.state == no_node);
  CHECK(call.pairs == no_node);

  const Pickle object = value(p::global("a", "B") + ")\x81" + p::dict({{p::text("x"), "N"}}) + "b" +
                              "K\x01"
                              "aK\x02Ns(K\x05\x90");
  const PickleCall made = object.tree.call(object.root());
  CHECK(object.tree.elements(made.state).size() == 2);
  CHECK(object.tree.elements(made.items).size() == 1);
  CHECK(object.tree.elements(made.pairs).size() == 2);
  CHECK(object.tree.elements(made.members).size() == 1);

  const Pickle keywords =
      value(p::text("m") + p::text("f") + "\x93)" + p::dict({{p::text("k"), "N"}}) + "\x92");
  CHECK(keywords.tree.elements(keywords.tree.call(keywords.root()).keywords).size() == 2);
  for (const std::string& opcodes : {"(cm\nf\nK\x01o"s, "(K\x01im\nf\n"s}) {
    const Pickle old = value(opcodes);
    const PickleCall old_call = old.tree.call(old.root());
    CHECK(old.tree.global(old_call.callable).name == "f");
    CHECK(old.tree.elements(old_call.arguments).size() == 1);
  }
  const Pickle persistent = value(p::tuple({p::text("storage")}) + "Q");
  CHECK(persistent.tree.kind(persistent.root()) == PickleKind::persistent);
  CHECK(persistent.tree.elements(persistent.tree.persistent_id(persistent.root())).size() == 1);
}

TEST_CASE("memo entries in any order, of every form") {
  const Pickle pickle("\x80\x04(" + p::text("a") + "\x94" + p::text("b") + "r\xE8\x03\x00\x00"s +
                      p::text("c") + "p7\n" + p::text("d") + "\x94t0(" + "h\x00"s + "j\xE8\x03\x00\x00"s +
                      "g7\n" + "h\x03t.");
  std::string all;
  for (const PickleNode node : pickle.tree.elements(pickle.root())) all += pickle.tree.text(node);
  CHECK(all == "abcd");
  // An entry that was set far ahead is overwritten when the count gets there.
  const Pickle again("\x80\x02" + p::text("x") +
                     "q\x01"
                     "0" +
                     p::text("y") + "q" + "\x00"s + "0" + p::text("z") +
                     "q\x01"
                     "0h\x01.");
  CHECK(again.tree.text(again.root()) == "z");
}

TEST_CASE("values are shared and may contain themselves") {
  const Pickle circle = value("]q" + "\x00"s + "h\x00"s + "a");
  CHECK(circle.at(0) == circle.root());
  const Pickle shared = value("]q" + "\x00"s +
                              "K\x07"
                              "ah\x00\x86"s);
  CHECK(shared.at(0) == shared.at(1));
}

TEST_CASE("deep nesting takes no stack") {
  constexpr int depth = 1'000'000;
  std::string opcodes(depth, ']');
  opcodes += std::string(depth - 1, 'a');
  const Pickle pickle = value(opcodes);
  PickleNode node = pickle.root();
  int levels = 1;
  for (; !pickle.tree.elements(node).empty(); ++levels) node = pickle.tree.elements(node)[0];
  CHECK(levels == depth);
  std::string tuples = "N" + std::string(depth, '\x85');
  CHECK(value(tuples).tree.size() >= depth);
}

TEST_CASE("keys that Python tells apart may be in one dict") {
  CHECK_NOTHROW(value(p::dict({{"N", "N"},
                               {p::integer(1), "N"},
                               {p::text("1"), "N"},
                               {p::floating(1.5), "N"},
                               {"C\x01"
                                "1",
                                "N"},
                               {p::tuple({p::integer(1)}), "N"},
                               {p::tuple({p::integer(2)}), "N"},
                               {p::floating(NAN), "N"},
                               {p::floating(NAN), "N"},
                               {p::global("a", "b"), "N"},
                               {p::global("a", "c"), "N"},
                               {p::floating(1e300), "N"},
                               {p::floating(INFINITY), "N"}})));
}

TEST_CASE("frames of protocol 4 are looked through") {
  const Pickle pickle("\x80\x04\x95\x02"s + std::string(7, '\0') + "N.");
  CHECK(pickle.tree.kind(pickle.root()) == PickleKind::none);
  CHECK_NOTHROW(Pickle("\x80\x05N."));
  CHECK_NOTHROW(Pickle("N."));
}

}  // namespace

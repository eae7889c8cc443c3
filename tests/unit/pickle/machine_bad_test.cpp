#include <catch2/catch_test_macros.hpp>

#include "repro/base/error.h"
#include "repro/pickle/machine.h"
#include "support/pickle_text.h"

namespace {

using namespace repro;
namespace p = repro::test::pickle;
using namespace std::string_literals;

// The message, or "" if the pickle is read.
std::string refusal(const std::string& bytes) {
  try {
    // An exact copy, so that a sanitizer sees a read past the end.
    const std::vector<char> copy(bytes.begin(), bytes.end());
    read_pickle(std::as_bytes(std::span(copy)), "a.pkl");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    CHECK(error.message().starts_with("a.pkl: "));
    CHECK(error.message().find('\n') == std::string::npos);
    return error.message();
  }
  return "";
}

struct Fault {
  std::string opcodes, message;
};

void check(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) CHECK(refusal("\x80\x02" + fault.opcodes) == "a.pkl: " + fault.message);
}

TEST_CASE("what is cut or goes on is refused") {
  CHECK(refusal("") == "a.pkl: the pickle ends after 0 bytes without STOP");
  CHECK(refusal("\x80\x06N.") == "a.pkl: byte 0, PROTO: protocol 6 found, allowed are 0 to 5");
  check({
      {"N", "the pickle ends after 3 bytes without STOP"},
      {"N.x", "byte 3, STOP: 1 byte found after the end, allowed is none"},
      {".", "byte 2, STOP: needs 1 value on the stack, found 0"},
      {"NN.", "byte 4, STOP: more than one value on the stack at the end, allowed is one"},
      {"(N.", "byte 4, STOP: more than one value on the stack at the end, allowed is one"},
      {"X\x05\x00\x00\x00"s + "abc.", "byte 2, BINUNICODE: asks for 5 bytes, 4 are left"},
      {"\x8D\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF.",
       "byte 2, BINUNICODE8: asks for 18,446,744,073,709,551,615 bytes, 1 are left"},
      {"\x96\x00\x00\x00\x00\x00\x00\x00\x7F."s,
       "byte 2, BYTEARRAY8: asks for 9,151,314,442,816,847,872 bytes, 1 are left"},
      {"\x8B\xFF\xFF\xFF\xFF.", "byte 2, LONG4: asks for 4,294,967,295 bytes, 1 are left"},
      {"\x95\x09\x00\x00\x00\x00\x00\x00\x00N."s, "byte 2, FRAME: asks for 9 bytes, 2 are left"},
      {"K", "byte 2, BININT1: asks for 1 bytes, 0 are left"},
      {"cposix", "byte 2, GLOBAL: a line without an end found"},
  });
}

TEST_CASE("the stack and the memo are guarded") {
  check({
      {"a.", "byte 2, APPEND: needs 2 values on the stack, found 0"},
      {"]a.", "byte 3, APPEND: needs 2 values on the stack, found 1"},
      {"](a.", "byte 4, APPEND: needs 2 values on the stack, found 0"},
      {"]N(Na.", "byte 6, APPEND: needs 2 values on the stack, found 1"},
      {"e.", "byte 2, APPENDS: needs a MARK on the stack, found none"},
      {"(Ne.", "byte 4, APPENDS: needs 2 values on the stack, found 1"},
      {"}Ns.", "byte 4, SETITEM: needs 3 values on the stack, found 2"},
      {"}(Nu.", "byte 5, SETITEMS: a key without a value found"},
      {"(Nd.", "byte 4, DICT: a key without a value found"},
      {"t.", "byte 2, TUPLE: needs a MARK on the stack, found none"},
      {"NN\x87.", "byte 4, TUPLE3: needs 3 values on the stack, found 2"},
      {"0N.", "byte 2, POP: needs 1 value on the stack, found 0"},
      {"1N.", "byte 2, POP_MARK: needs a MARK on the stack, found none"},
      {"2.", "byte 2, DUP: needs 1 value on the stack, found 0"},
      {"(2.", "byte 3, DUP: needs 1 value on the stack, found 0"},
      {"h\x00."s, "byte 2, BINGET: memo entry 0 is not set, 0 are"},
      {"Nq\x00h\x01."s, "byte 5, BINGET: memo entry 1 is not set, 1 are"},
      {"q\x00."s, "byte 2, BINPUT: needs 1 value on the stack, found 0"},
      {"Nr\xFF\xFF\xFF\xFFj\xFE\xFF\xFF\xFF.",
       "byte 8, LONG_BINGET: memo entry 4,294,967,294 is not set, 1 are"},
      {"gx\nN.", "byte 2, GET: 'x' found, allowed is a memo's number"},
      {"(o.", "byte 3, OBJ: no class to make an object of found"},
  });
}

TEST_CASE("values of the wrong kind are refused") {
  check({
      {"NNa.", "byte 4, APPEND: found a value of type NoneType, allowed is a list or an object"},
      {"](NNu.", "byte 6, SETITEMS: found a value of type list, allowed is a dict or an object"},
      {"](N\x90.", "byte 5, ADDITEMS: found a value of type list, allowed is a set or an object"},
      {"}]Ns.",
       "byte 5, SETITEM: found a value of type list as a key, allowed are values that can be hashed"},
      {"}}Ns.",
       "byte 5, SETITEM: found a value of type dict as a key, allowed are values that can be hashed"},
      {"\x8F(]\x90.",
       "byte 5, ADDITEMS: found a value of type list as a key, allowed are values that can be hashed"},
      {"(]\x91.",
       "byte 4, FROZENSET: found a value of type list as a key, allowed are values that can be hashed"},
      {"N)R.", "byte 4, REDUCE: found a value of type NoneType to be called, allowed is a global"},
      {"ca\nb\nNR.", "byte 8, REDUCE: found a value of type NoneType as arguments, allowed is a tuple"},
      {"ca\nb\n)N\x92.",
       "byte 9, NEWOBJ_EX: found a value of type NoneType as keyword arguments, allowed is a dict"},
      {"}Nb.", "byte 4, BUILD: sets the state of a dict, allowed is an object"},
      {"ca\nb\n)R}b}b.", "byte 12, BUILD: sets the state of an object twice"},
      {"NN\x93.", "byte 4, STACK_GLOBAL: a global that is not named by two texts found"},
  });
}

TEST_CASE("texts and numbers are checked") {
  check({
      {"X\x01\x00\x00\x00\xFF."s,
       "byte 2, BINUNICODE: a text that is not valid UTF-8 found, allowed is UTF-8 only"},
      {"X\x03\x00\x00\x00\xED\xA0\x80."s,
       "byte 2, BINUNICODE: a text that is not valid UTF-8 found, allowed is UTF-8 only"},
      {"c\xFF\nb\n.", "byte 2, GLOBAL: a global's name is not valid UTF-8"},
      {"I1x\n.", "byte 2, INT: '1x' found, allowed is an integer"},
      {"L00000000000000000000000001\x1B[0mL\n.",
       "byte 2, LONG: '00000000000000000000000001\\x1b[0m' found, allowed is an integer"},
      {"F1.5x\n.", "byte 2, FLOAT: '1.5x' found, allowed is a number"},
      {"F1e999\n.", "byte 2, FLOAT: '1e999' found, allowed is a number"},
      {"Sabc\n.", "byte 2, STRING: a text without quotes found"},
      {"S'a\\x41'\n.", "byte 2, STRING: an escaped text of protocol 0 found, which is not supported"},
      {"V\\u0041\n.", "byte 2, UNICODE: an escaped text of protocol 0 found, which is not supported"},
      {"\x8B\x01\x01\x00\x00"s + std::string(257, '\x01') + ".",
       "byte 2, LONG4: an integer of 257 bytes found, allowed are 256"},
  });
}

TEST_CASE("what is not supported is named") {
  check({
      {"\x82\x01.", "byte 2, EXT1: a global of the extension registry found, which is not allowed"},
      {"\x84\x01\x00\x00\x00."s,
       "byte 2, EXT4: a global of the extension registry found, which is not allowed"},
      {"Pabc\n.", "byte 2, PERSID: a persistent id as text found, which is not allowed"},
      {"\x97.", "byte 2, NEXT_BUFFER: a buffer outside the pickle found, which is not allowed"},
      {"N\x98.", "byte 3, READONLY_BUFFER: a buffer outside the pickle found, which is not allowed"},
      {"\xFF.", "byte 2, byte 0xff: no opcode that is allowed here"},
      {"\x80\x02N.", "byte 2, PROTO: no opcode that is allowed here"},
  });
}

TEST_CASE("keys that appear twice are refused") {
  const auto twice = [](const std::string& a, const std::string& b) {
    return p::dict({{a, "N"}, {"N", "N"}, {b, "N"}}) + ".";
  };
  check({
      {twice(p::text("w"), p::text("w")), "a dict has the key 'w' twice, allowed is once"},
      {twice(p::integer(1), p::floating(1)), "a dict has the key 1 twice, allowed is once"},
      {twice(p::yes, p::integer(1)), "a dict has the key True twice, allowed is once"},
      {twice(p::floating(0.5), p::floating(0.5)), "a dict has the key of type float twice, allowed is once"},
      {twice(p::tuple({p::integer(1), p::text("a")}), p::tuple({p::floating(1), p::text("a")})),
       "a dict has the key of type tuple twice, allowed is once"},
      {twice(p::global("a", "b"), p::global("a", "b")),
       "a dict has the key of type global twice, allowed is once"},
      {"\x8F(K\x05K\x05\x90.", "a set has the key 5 twice, allowed is once"},
      {"ca\nb\n)R(" + p::text("k") + "N" + p::text("k") + "Nu.",
       "a dict has the key 'k' twice, allowed is once"},
  });
  // Also where they were set one by one, or far apart.
  CHECK(refusal(p::whole("}" + p::text("a") + "Ns" + p::text("a") + "Ns")) != "");
}

TEST_CASE("a pickle that lets keys be compared for ever is refused") {
  const std::string long_key(200'000, 'x');
  std::string opcodes = "(" + p::text(long_key + "1") + "q" + "\x00"s + p::text(long_key + "2") + "q\x01";
  for (int i = 0; i < 2000; ++i) opcodes += "}(h\x00Nh\x01Nu"s;
  CHECK(refusal(p::whole(opcodes + "t")).find("share so many long keys") != std::string::npos);
  std::string nested = p::integer(1);
  for (int i = 0; i < 20; ++i) nested = p::tuple({nested});
  CHECK(refusal(p::whole(p::dict({{nested, "N"}, {nested, "N"}}))).find("16 levels") != std::string::npos);
}

TEST_CASE("a pickle that is cut or changed anywhere is read or refused") {
  const std::string pickle =
      p::whole(p::dict({{p::text("a"), p::list({p::integer(5), p::floating(1.5), p::none, p::yes})},
                        {p::tuple({p::integer(3)}), p::call(p::global("m", "f"), {p::text("x")}) + "}b"},
                        {p::text("s"), "\x8F(K\x01K\x02\x90q" + "\x00"s},
                        {p::text("t"), "h\x00"s},
                        {p::integer(9), p::tuple({}) + "Q"}}));
  CHECK(refusal(pickle) == "");
  for (std::size_t i = 0; i < pickle.size(); ++i) {
    CHECK(refusal(pickle.substr(0, i)) != "");
    for (int bits = 1; bits < 256; ++bits) {
      std::string changed = pickle;
      changed[i] = static_cast<char>(changed[i] ^ bits);
      refusal(changed);
    }
  }
}

}  // namespace

#include "repro/pickle/opcode.h"

#include <array>
#include <string_view>

#include "repro/base/bytes.h"

namespace repro {
namespace {

struct Row {
  Opcode opcode;
  std::string_view name;
};
constexpr std::array<Row, 68> table = {{
    {Opcode::MARK, "MARK"},
    {Opcode::EMPTY_TUPLE, "EMPTY_TUPLE"},
    {Opcode::STOP, "STOP"},
    {Opcode::POP, "POP"},
    {Opcode::POP_MARK, "POP_MARK"},
    {Opcode::DUP, "DUP"},
    {Opcode::BINBYTES, "BINBYTES"},
    {Opcode::SHORT_BINBYTES, "SHORT_BINBYTES"},
    {Opcode::FLOAT, "FLOAT"},
    {Opcode::BINFLOAT, "BINFLOAT"},
    {Opcode::INT, "INT"},
    {Opcode::BININT, "BININT"},
    {Opcode::BININT1, "BININT1"},
    {Opcode::LONG, "LONG"},
    {Opcode::BININT2, "BININT2"},
    {Opcode::NONE, "NONE"},
    {Opcode::PERSID, "PERSID"},
    {Opcode::BINPERSID, "BINPERSID"},
    {Opcode::REDUCE, "REDUCE"},
    {Opcode::STRING, "STRING"},
    {Opcode::BINSTRING, "BINSTRING"},
    {Opcode::SHORT_BINSTRING, "SHORT_BINSTRING"},
    {Opcode::UNICODE, "UNICODE"},
    {Opcode::BINUNICODE, "BINUNICODE"},
    {Opcode::EMPTY_LIST, "EMPTY_LIST"},
    {Opcode::APPEND, "APPEND"},
    {Opcode::BUILD, "BUILD"},
    {Opcode::GLOBAL, "GLOBAL"},
    {Opcode::DICT, "DICT"},
    {Opcode::APPENDS, "APPENDS"},
    {Opcode::GET, "GET"},
    {Opcode::BINGET, "BINGET"},
    {Opcode::INST, "INST"},
    {Opcode::LONG_BINGET, "LONG_BINGET"},
    {Opcode::LIST, "LIST"},
    {Opcode::OBJ, "OBJ"},
    {Opcode::PUT, "PUT"},
    {Opcode::BINPUT, "BINPUT"},
    {Opcode::LONG_BINPUT, "LONG_BINPUT"},
    {Opcode::SETITEM, "SETITEM"},
    {Opcode::TUPLE, "TUPLE"},
    {Opcode::SETITEMS, "SETITEMS"},
    {Opcode::EMPTY_DICT, "EMPTY_DICT"},
    {Opcode::PROTO, "PROTO"},
    {Opcode::NEWOBJ, "NEWOBJ"},
    {Opcode::EXT1, "EXT1"},
    {Opcode::EXT2, "EXT2"},
    {Opcode::EXT4, "EXT4"},
    {Opcode::TUPLE1, "TUPLE1"},
    {Opcode::TUPLE2, "TUPLE2"},
    {Opcode::TUPLE3, "TUPLE3"},
    {Opcode::NEWTRUE, "NEWTRUE"},
    {Opcode::NEWFALSE, "NEWFALSE"},
    {Opcode::LONG1, "LONG1"},
    {Opcode::LONG4, "LONG4"},
    {Opcode::SHORT_BINUNICODE, "SHORT_BINUNICODE"},
    {Opcode::BINUNICODE8, "BINUNICODE8"},
    {Opcode::BINBYTES8, "BINBYTES8"},
    {Opcode::EMPTY_SET, "EMPTY_SET"},
    {Opcode::ADDITEMS, "ADDITEMS"},
    {Opcode::FROZENSET, "FROZENSET"},
    {Opcode::NEWOBJ_EX, "NEWOBJ_EX"},
    {Opcode::STACK_GLOBAL, "STACK_GLOBAL"},
    {Opcode::MEMOIZE, "MEMOIZE"},
    {Opcode::FRAME, "FRAME"},
    {Opcode::BYTEARRAY8, "BYTEARRAY8"},
    {Opcode::NEXT_BUFFER, "NEXT_BUFFER"},
    {Opcode::READONLY_BUFFER, "READONLY_BUFFER"},
}};

}  // namespace

std::string opcode_text(std::uint8_t byte) {
  for (const Row& row : table) {
    if (static_cast<std::uint8_t>(row.opcode) == byte) return std::string(row.name);
  }
  return "byte 0x" + hex_of(byte);
}

}  // namespace repro

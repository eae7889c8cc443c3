#pragma once

#include "repro/pickle/input.h"
#include "repro/pickle/tree.h"

namespace repro {

// The constant, number or text that an opcode makes by itself; no_node if it is another kind of opcode.
PickleNode read_literal(Opcode opcode, PickleInput& input, PickleTree& tree);

}  // namespace repro

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "repro/pickle/tree.h"
#include "repro/snapshot/item.h"

namespace repro {

// Texts of values as Python prints them, apart from a NaN: "nan" has the usual bits, others follow it in
// hexadecimal. Two values of a type have one text only if they have the same bits.
std::string python_text(double value);
std::string python_text(float value);
std::string python_text(std::string_view real, std::string_view imaginary);  // "(1+2j)"
std::string python_bytes(std::string_view bytes);                            // b'\x00a'
std::string python_string(std::string_view text);                            // 'it\'s'

// A simple value, quoted as within a container: None, bool, int, float, str, bytes, and tuples of such, at
// most eight deep and 64 KiB long. Nothing for others.
std::optional<std::string> python_repr(const PickleTree& tree, PickleNode node);

// A leaf whose text is cut, with the SHA-256 of the whole, if it is long.
Leaf make_leaf(std::string type, std::string value);

// The leaf of a simple value that is no container; a str stands for itself.
std::optional<Leaf> plain_leaf(const PickleTree& tree, PickleNode node);

}  // namespace repro

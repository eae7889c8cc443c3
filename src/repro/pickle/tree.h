#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "repro/base/bytes.h"

namespace repro {

// What a value of a pickle is. A call stands for everything that Python would make by calling something:
// nothing is called, it is only written down.
enum class PickleKind : std::uint8_t {
  none,
  boolean,
  integer,      // fits 64 bits
  big_integer,  // as decimal text
  floating,
  text,  // valid UTF-8
  bytes,
  byte_array,
  list,
  tuple,
  dict,
  set,
  frozen_set,
  global,      // a module and a name in it
  call,        // see PickleCall
  persistent,  // a persistent id, which whoever loads the pickle explains
};
std::string_view name_of(PickleKind kind);  // Python's word: "NoneType", "bool", "int", "str", "dict", ...

// A value's number within its tree. Values may be shared, and may contain themselves.
using PickleNode = std::uint32_t;
inline constexpr PickleNode no_node = 0xFFFFFFFF;

struct PickleGlobal {
  std::string_view module, name;
};

// callable(*arguments, **keywords), then what was done to the result. All but the first two may be no_node.
struct PickleCall {
  PickleNode callable = no_node;   // global or call
  PickleNode arguments = no_node;  // tuple
  PickleNode keywords = no_node;   // dict
  PickleNode state = no_node;      // what BUILD gave it
  PickleNode items = no_node;      // list: what was appended
  PickleNode pairs = no_node;      // dict: keys that were set
  PickleNode members = no_node;    // set: what was added
};

// The values of a pickle, inert, some 9 bytes each and 4 bytes for each element of a container. Texts are
// views into the pickle's bytes, which must outlive the tree. Reading is safe from several threads.
class PickleTree {
 public:
  // Preconditions: at most 2^30 bytes, and fewer nodes and links than 2^32 are added.
  explicit PickleTree(ByteView pickle);

  PickleNode root() const { return root_; }
  std::size_t size() const { return kinds_.size(); }        // nodes
  std::size_t link_count() const { return links_.size(); }  // elements of containers, and gaps
  std::size_t pickle_bytes() const { return pickle_.size(); }
  PickleKind kind(PickleNode node) const { return static_cast<PickleKind>(kinds_[node]); }

  // Each for its kinds only.
  bool boolean(PickleNode node) const { return payloads_[node] != 0; }
  std::int64_t integer(PickleNode node) const { return static_cast<std::int64_t>(payloads_[node]); }
  double floating(PickleNode node) const { return std::bit_cast<double>(payloads_[node]); }
  std::string_view text(PickleNode node) const;  // text, bytes, byte_array, big_integer
  // list, tuple, set, frozen_set; dict: keys and values in turn, in the order of the pickle, no key twice.
  std::span<const PickleNode> elements(PickleNode node) const;
  PickleGlobal global(PickleNode node) const;
  PickleCall call(PickleNode node) const;
  PickleNode persistent_id(PickleNode node) const { return static_cast<PickleNode>(payloads_[node]); }

  // Making one. Small integers, constants and the empty tuple exist once.
  PickleNode add_none() const { return 0; }
  PickleNode add_boolean(bool value) const { return value ? 2 : 1; }
  PickleNode add_integer(std::int64_t value);
  PickleNode add_floating(double value);
  PickleNode add_view(PickleKind kind, std::string_view text);   // of the pickle's own bytes
  PickleNode add_owned(PickleKind kind, std::string_view text);  // copied
  PickleNode add_container(PickleKind kind, std::span<const PickleNode> elements);
  PickleNode add_global(PickleNode module, PickleNode name);
  PickleNode add_call(const PickleCall& call);
  PickleNode add_persistent(PickleNode id);
  void extend(PickleNode container, std::span<const PickleNode> more);  // list, dict, set
  // The list, dict or set that belongs to a call; made if it is not there yet.
  PickleNode part_of_call(PickleNode call, PickleNode PickleCall::*part, PickleKind kind);
  void set_state(PickleNode call, PickleNode state) { extras_[call].state = state; }
  void set_root(PickleNode root) { root_ = root; }

 private:
  struct Range {
    std::uint32_t first = 0, count = 0, capacity = 0;
  };
  PickleNode add(PickleKind kind, std::uint64_t payload);

  ByteView pickle_;
  std::string owned_;  // texts that are not in the pickle as they are
  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint64_t> payloads_;
  std::vector<PickleNode> links_;
  std::vector<Range> ranges_;                          // of containers that can grow
  std::unordered_map<PickleNode, PickleCall> extras_;  // calls with more than arguments
  PickleNode root_ = no_node;
};

}  // namespace repro

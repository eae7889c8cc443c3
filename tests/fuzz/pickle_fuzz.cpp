#include <cstdint>
#include <cstdlib>
#include <span>

#include "repro/base/error.h"
#include "repro/pickle/machine.h"

namespace {

using namespace repro;

std::size_t checked(const PickleTree& tree, PickleNode node) {
  if (node != no_node && node >= tree.size()) std::abort();
  return node;
}

// Everything that can be asked about a node lies within the tree.
std::size_t look_at(const PickleTree& tree, PickleNode node) {
  switch (tree.kind(node)) {
    case PickleKind::none:
    case PickleKind::boolean:
    case PickleKind::integer:
    case PickleKind::floating: return 0;
    case PickleKind::text:
    case PickleKind::bytes:
    case PickleKind::byte_array:
    case PickleKind::big_integer: {
      std::size_t sum = 0;
      for (const char c : tree.text(node)) sum += static_cast<unsigned char>(c);
      return sum;
    }
    case PickleKind::list:
    case PickleKind::tuple:
    case PickleKind::dict:
    case PickleKind::set:
    case PickleKind::frozen_set: {
      std::size_t sum = 0;
      if (tree.kind(node) == PickleKind::dict && tree.elements(node).size() % 2 != 0) std::abort();
      for (const PickleNode element : tree.elements(node)) sum += checked(tree, element);
      return sum;
    }
    case PickleKind::global: return tree.global(node).module.size() + tree.global(node).name.size();
    case PickleKind::call: {
      const PickleCall call = tree.call(node);
      if (tree.kind(call.arguments) != PickleKind::tuple) std::abort();
      return checked(tree, call.callable) + checked(tree, call.keywords) + checked(tree, call.state) +
             checked(tree, call.items) + checked(tree, call.pairs) + checked(tree, call.members);
    }
    case PickleKind::persistent: return checked(tree, tree.persistent_id(node));
  }
  std::abort();
}

}  // namespace

// Any bytes are a pickle or an Error of kind input; the tree is sound, and not much larger than the bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const PickleTree tree = read_pickle(std::as_bytes(std::span(data, size)), "fuzz");
    std::size_t sum = checked(tree, tree.root());
    for (std::size_t node = 0; node < tree.size(); ++node)
      sum += look_at(tree, static_cast<PickleNode>(node));
    if (sum == 1) return 0;  // so that the sum is made
    if (tree.size() > 2048 + 3 * size || tree.link_count() > 64 + 16 * size) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || error.message().empty()) std::abort();
  }
  return 0;
}

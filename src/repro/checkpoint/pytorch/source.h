#pragma once

#include <string>
#include <unordered_map>

#include "repro/checkpoint/pytorch/globals.h"
#include "repro/pickle/tree.h"
#include "repro/tensor/tensor.h"

namespace repro {

// One pickle of an archive while it is read: its values, what its globals mean, and the words for what is
// wrong in it. To be used by one thread. `path` is always the name of the value that is being read, for
// messages.
class PickleSource {
 public:
  PickleSource(const PickleTree& values, std::string what);

  const PickleTree& tree;

  [[noreturn]] void fail(const std::string& path, const std::string& reason, std::string hint = {}) const;
  [[noreturn]] void fail_global(const std::string& path, PickleNode global) const;

  // To be told of every byte that is made for a name, a text or an array. A pickle whose shared values would
  // unfold into far more than itself is refused: 64 bytes for each of its own, and 64 MiB, are allowed.
  void spend(std::uint64_t bytes, const std::string& path) const;

  // The meaning of a global, or of the callable of a call; unknown for everything else.
  TorchGlobal meaning(PickleNode node) const;
  std::string global_text(PickleNode global) const;  // "torch.float32"

  // The value as what it has to be; Error{input} naming path and role ("the offset") otherwise.
  std::int64_t integer(PickleNode node, const std::string& path, const char* role) const;
  std::string_view text(PickleNode node, const std::string& path, const char* role) const;
  // A tuple, list or torch.Size of sizes or strides: at most 64 integers, none negative.
  Shape numbers(PickleNode node, const std::string& path, const char* role) const;
  std::span<const PickleNode> tuple(PickleNode node, const std::string& path, const char* role) const;
  // The arguments of a call, of which there must be `least` to `most`, and no keywords.
  std::span<const PickleNode> arguments(const PickleCall& call, const std::string& path, std::size_t least,
                                        std::size_t most) const;

 private:
  std::string what_;
  std::uint64_t allowance_;
  mutable std::uint64_t spent_ = 0;
  mutable std::unordered_map<PickleNode, TorchGlobal> meanings_;  // of globals that were asked for
};

}  // namespace repro

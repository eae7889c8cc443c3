#pragma once

#include <string>
#include <utility>
#include <vector>

#include "repro/base/bytes.h"
#include "support/pickle_text.h"

// Archives as PyTorch writes them, made of pieces that tests can make wrong.
namespace repro::test {

using TorchMembers = std::vector<std::pair<std::string, std::string>>;  // path behind "archive/", contents

// A zip archive of stored members in the folder "archive".
Bytes torch_archive(const TorchMembers& members);
// The same with the pickle of a value (opcodes without PROTO and STOP), and storages 0, 1, ...
Bytes torch_file(const std::string& value, const std::vector<std::string>& storages);

// Opcodes of ('storage', torch.<type>, key, 'cpu', length) as a persistent id.
std::string torch_storage(const std::string& type, const std::string& key, std::int64_t length);
// Opcodes of _rebuild_tensor_v2, with whatever follows the hooks.
std::string torch_tensor(const std::string& storage, std::int64_t offset,
                         const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
                         const pickle::Values& more = {});
// One float32 tensor of `count` elements, all of storage 0.
std::string torch_vector(std::int64_t count);
std::string torch_hooks();  // OrderedDict()

}  // namespace repro::test

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace repro {

// What a named tensor is for; stored in the metadata of our safetensors files (docs/formats.md).
enum class Role : std::uint8_t {
  none,  // a foreign file says nothing
  learnable,
  buffer,
  prediction,
  optimizer,
  sample,
};

std::string_view name_of(Role role);  // the enumerator's spelling
std::optional<Role> role_named(std::string_view name);

}  // namespace repro

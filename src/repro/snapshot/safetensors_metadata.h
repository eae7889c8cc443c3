#pragma once

#include <string_view>

namespace repro {

// The keys of __metadata__ in the files that we write (docs/formats.md), sorted as they are written.
constexpr std::string_view metadata_version_key = "repro-train.format_version";
constexpr std::string_view metadata_order_key = "repro-train.order";
constexpr std::string_view metadata_roles_key = "repro-train.roles";
constexpr int safetensors_metadata_version = 1;

}  // namespace repro

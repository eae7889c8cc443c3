#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repro/spec/description.h"

namespace repro {

// What to say about a key that an object does not have: the type that it belongs to, the object
// that it belongs to, the key that was probably meant, or which keys there are. `objects`: the
// object's types; `type`: the one at hand and `noun` what such objects are called, both
// "" for an object without types.
std::string unknown_key_message(std::string_view key, const std::vector<ObjectDescription>& objects,
                                std::string_view type, std::string_view noun);

}  // namespace repro

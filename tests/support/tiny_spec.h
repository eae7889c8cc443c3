#pragma once

#include <string>
#include <string_view>

#include "repro/base/files.h"
#include "repro/spec/decode.h"

namespace repro {

// configs/tiny.json with overrides such as {"/training/epochs=1", "/seed/data=7"}.
inline Spec tiny_spec(std::initializer_list<std::string_view> overrides = {}) {
  std::vector<Override> parsed;
  for (const std::string_view text : overrides) parsed.push_back(parse_override(text));
  return decode_spec(read_text_file(fs::path(REPRO_SOURCE_DIR) / "configs/tiny.json"), "tiny", parsed);
}

}  // namespace repro

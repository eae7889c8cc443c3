#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "repro/base/files.h"
#include "repro/spec/decode.h"

namespace repro::testing {

inline std::string config_text(std::string_view name) {
  return read_text_file(fs::path(REPRO_SOURCE_DIR) / "configs" / name);
}

inline const std::vector<std::string>& config_names() {
  static const std::vector<std::string> names = {"digits.json", "lookup.json", "mnist.json", "tiny.json"};
  return names;
}

// The smallest valid spec.
inline constexpr std::string_view minimal = R"({
  "data": {},
  "model": {"layers": [{"type": "conv2d", "filters": 1, "kernel": 1}]},
  "loss": {"type": "half_mse"},
  "optimizer": {"type": "adam"},
  "training": {"epochs": 1, "batch_size": 1}
})";

// The minimal spec with `--set` texts applied.
inline Spec decode_with(const std::vector<std::string>& changes, std::string_view text = minimal) {
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  return decode_spec(text, "minimal", overrides);
}

// All mistakes, {} if there are none.
inline std::vector<std::string> mistakes_in(std::string_view text,
                                            const std::vector<std::string>& changes = {}) {
  try {
    decode_with(changes, text);
  } catch (const SpecError& error) {
    return error.mistakes();
  }
  return {};
}
inline std::vector<std::string> mistakes_with(const std::vector<std::string>& changes) {
  return mistakes_in(minimal, changes);
}

// The message of the Error that f() throws; "" and a failed check if it throws none.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::request);
    CHECK(error.message().find('\n') == std::string::npos);
    return error.message();
  }
  FAIL_CHECK("nothing was thrown");
  return "";
}

}  // namespace repro::testing

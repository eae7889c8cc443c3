#pragma once

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>

#include "repro/base/error.h"

namespace repro::test {

// The message of the Error that `action` throws, with its hint; "" if it throws none.
inline std::string refusal(const std::function<void()>& action, ErrorKind kind = ErrorKind::input) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK(std::string(error.what()).find_first_of("\n\r\x1b") == std::string::npos);
    return error.what();
  }
  return "";
}

inline void check_contains(const std::string& text, const std::string& part) {
  if (text.find(part) == std::string::npos) CHECK(text == part);  // shows both
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace repro::test

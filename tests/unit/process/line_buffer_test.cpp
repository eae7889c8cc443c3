#include "repro/process/line_buffer.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

using repro::LineBuffer;
using namespace std::string_literals;

namespace {

// The lines of `text` when it arrives in pieces of `piece` bytes.
std::vector<std::string> lines_in_pieces(std::string_view text, std::size_t piece) {
  LineBuffer buffer;
  std::vector<std::string> out;
  const auto take = [&] {
    while (auto line = buffer.next()) out.push_back(*line);
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    buffer.append(text.substr(at, piece));
    take();
  }
  buffer.finish();
  take();
  return out;
}

}  // namespace

TEST_CASE("lines do not depend on how their bytes arrive") {
  const std::string text = "first\n\nthird has\0 a zero\r\n\nlast without a break"s;
  const std::vector<std::string> expected = {"first", "", "third has\0 a zero\r"s, "",
                                             "last without a break"};
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    CHECK(lines_in_pieces(text, piece) == expected);
  }
}

TEST_CASE("a last line with its break is not counted twice") {
  CHECK(lines_in_pieces("a\nb\n", 3) == std::vector<std::string>{"a", "b"});
  CHECK(lines_in_pieces("a\nb\n\n", 3) == std::vector<std::string>{"a", "b", ""});
  CHECK(lines_in_pieces("", 1).empty());
}

TEST_CASE("the unfinished part is what has no break yet") {
  LineBuffer buffer;
  buffer.append("whole\npart");
  CHECK(buffer.next() == "whole");
  CHECK_FALSE(buffer.next());
  CHECK(buffer.unfinished() == 4);
  buffer.append("ial\n");
  CHECK(buffer.next() == "partial");
  CHECK(buffer.unfinished() == 0);
}

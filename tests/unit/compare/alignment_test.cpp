#include "repro/compare/alignment.h"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "support/trace_records.h"

namespace {

using namespace repro;

TraceLayout layout(const std::string& letters) {
  TraceLayout out;
  for (const char letter : letters) out.push_back(operation(Phase::forward, "", std::string(1, letter)));
  return out;
}

// "ab-c" over "a-bc": both sides with gaps.
std::string shown(const std::string& left, const std::string& right, std::size_t most_edits = 2000) {
  std::string above, below;
  for (const SlotPair& pair : align(layout(left), layout(right), most_edits)) {
    above += pair.reference ? left[*pair.reference] : '-';
    below += pair.candidate ? right[*pair.candidate] : '-';
  }
  return above + " " + below;
}

// Length of the longest common subsequence, by the textbook table.
std::size_t common_length(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] =
          a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

TEST_CASE("layouts are aligned as by a line diff") {
  CHECK(shown("", "") == " ");
  CHECK(shown("abc", "abc") == "abc abc");
  CHECK(shown("abc", "") == "abc ---");
  CHECK(shown("", "abc") == "--- abc");
  CHECK(shown("abd", "abcd") == "ab-d abcd");
  CHECK(shown("abcd", "abd") == "abcd ab-d");
  CHECK(shown("axd", "ayzd") == "ax--d a-yzd");
  CHECK(shown("aab", "ab") == "aab a-b");
}

TEST_CASE("an alignment pairs as much as can be paired, in order, each slot once") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto word = [&] {
      std::string out(random() % 12, 'a');
      for (char& c : out) c = static_cast<char>('a' + random() % 3);
      return out;
    };
    const std::string left = word(), right = word();
    std::size_t i = 0, j = 0, pairs = 0;
    for (const SlotPair& pair : align(layout(left), layout(right))) {
      if (pair.reference) REQUIRE(*pair.reference == i++);
      if (pair.candidate) REQUIRE(*pair.candidate == j++);
      if (!pair.paired()) continue;
      ++pairs;
      REQUIRE(left[*pair.reference] == right[*pair.candidate]);
    }
    REQUIRE(i == left.size());
    REQUIRE(j == right.size());
    REQUIRE(pairs == common_length(left, right));
  }
}

TEST_CASE("too many edits leave the middle unpaired") {
  CHECK(shown("abxcd", "abycd", 1) == "abx-cd ab-ycd");
  CHECK(shown("axbyc", "aubvc", 3) == "axby---c a---ubvc");
  CHECK(shown("axbyc", "aubvc", 4) == "ax-by-c a-ub-vc");
}

}  // namespace

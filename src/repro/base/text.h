#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace repro {

// Text from a file or the command line, made safe to show: control characters, escape sequences,
// bidirectional marks, line separators and invalid UTF-8 become \n, \t, \xNN or \u{NNNN}; a backslash
// becomes \\. Printable ASCII without a backslash is returned unchanged; other valid UTF-8 is kept.
std::string displayable(std::string_view text);

// True for well-formed UTF-8: no overlong forms, surrogates or values above U+10FFFF. "" is.
bool is_utf8(std::string_view text);

// The candidate with the smallest edit distance (insert, delete, replace, swap of neighbours), if it is
// near enough to be a likely typo (at most a third of the longer length, at least 1); first one wins ties.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

// 12609 -> "12,609".
std::string thousands(std::uint64_t value);
std::string thousands(std::int64_t value);

std::string join(std::span<const std::string> parts, std::string_view separator);

// "1 run", "2 runs": `count`, with thousands separators, and the noun in the right number.
std::string plural(std::int64_t count, std::string_view noun);

// Shell-style glob over a whole name: `*` any run of characters (dots and slashes too), `?` one
// character, `[abc]`, `[a-z]`, `[!x]` a set. An unclosed `[` stands for itself. Linear time, no recursion.
bool glob_matches(std::string_view pattern, std::string_view name);

// "131 ms", "4.2 s", "2 min 05 s", "1 h 02 min": for people.
std::string human_duration(double seconds);
// "1.1 GB", "812 MB", "0 bytes": powers of 1000, for people.
std::string human_bytes(std::uint64_t size_bytes);

}  // namespace repro

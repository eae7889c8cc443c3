#pragma once

#include <string>
#include <string_view>

namespace repro {

// Text of any origin made safe for one kind of document. All but json_text and file_name_for go through
// safe_text() first: control characters, bidirectional marks and invalid UTF-8 are shown, never sent.

// displayable(), except that text in which only backslashes would change is kept: what went through
// displayable() once (messages, warnings, logs) is not escaped twice.
std::string safe_text(std::string_view text);

// For HTML text and double-quoted attributes: & < > " ' become references.
std::string html_text(std::string_view text);

// For XML 1.0 through a writer that escapes markup itself: only what XML 1.0 cannot hold is replaced.
std::string xml_text(std::string_view text);

// For Markdown text, table cells included: no markup, link, mention or cell border can come out of it.
std::string markdown_text(std::string_view text);
// A name set in code type, safe at the same places.
std::string markdown_code(std::string_view text);

// For JSON strings: the text itself if it is valid UTF-8, else as safe_text() shows it.
std::string json_text(std::string_view text);

// The name of a tensor as the stem of a file name (contract, "Spellings"): %XX for / \ : * ? " < > | %,
// control bytes, a leading dot, and the first letter of the name "tensors"; "" becomes "%". What is over
// 200 bytes is cut (never within a %XX or a UTF-8 character) and ends in "~" and the first 16 digits of the
// name's SHA-256. Different names give different stems.
std::string file_name_for(std::string_view tensor);

}  // namespace repro

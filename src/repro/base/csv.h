#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace repro {

// One CSV field after RFC 4180: quoted only if it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);
// Fields joined by commas and ended by "\n".
std::string csv_row(std::span<const std::string> fields);

// Reads what csv_row writes (quotes, embedded line breaks, "\n" or "\r\n"). Error{input} naming `what`
// and the line for an unclosed quote or text after a closing quote.
std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::string_view what);

}  // namespace repro

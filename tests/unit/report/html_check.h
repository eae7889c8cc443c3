#pragma once

#include <string>

namespace repro {

std::size_t count_of(const std::string& text, const std::string& part);
// The first element that is not closed where it should be; "" if all are.
std::string first_imbalance(const std::string& html);
// Checks that a page is one file: balanced, nothing is loaded, nothing runs.
void check_standalone(const std::string& html);

}  // namespace repro

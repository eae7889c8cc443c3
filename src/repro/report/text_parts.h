#pragma once

#include <string>

#include "repro/compare/difference.h"
#include "repro/report/facts.h"

namespace repro {

// What the texts for a terminal share. Without `color` no style is used.
std::string style_of(Verdict verdict, bool color);
std::string warning_style(bool color);
// "label: text" and the details, a line each.
std::string note_lines(const Note& note, bool color);
// The last line.
std::string verdict_text(const std::string& verdict_line, Verdict verdict, bool color);

}  // namespace repro

#include "repro/report/text_parts.h"

#include "repro/report/escape.h"
#include "repro/report/table.h"

namespace repro {
namespace {

constexpr const char* green = "\x1b[32m";
constexpr const char* red = "\x1b[31m";
constexpr const char* yellow = "\x1b[33m";
constexpr const char* bold = "\x1b[1m";

}  // namespace

std::string style_of(Verdict verdict, bool color) {
  if (!color) return "";
  switch (verdict) {
    case Verdict::identical: return green;
    case Verdict::different: return red;
    case Verdict::inconclusive:
    case Verdict::not_comparable: return yellow;
  }
  return "";
}

std::string warning_style(bool color) { return color ? yellow : ""; }

std::string note_lines(const Note& note, bool color) {
  std::string style;
  if (note.kind == Note::Kind::warning || note.kind == Note::Kind::hint) style = warning_style(color);
  if (color && note.kind == Note::Kind::failure) style = red;
  std::string label(label_of(note.kind));
  if (!label.empty()) label += ": ";
  const std::string text = safe_text(note.text);
  std::string out = label.empty() ? styled(text, style) : styled(label, style) + text;
  out += "\n";
  for (const std::string& line : note.details) out += "  | " + safe_text(line) + "\n";
  return out;
}

std::string verdict_text(const std::string& verdict_line, Verdict verdict, bool color) {
  return styled(verdict_line, color ? bold + style_of(verdict, true) : "") + "\n";
}

}  // namespace repro

#include "repro/report/escape.h"

#include <algorithm>
#include <cctype>

#include "repro/base/bytes.h"
#include "repro/base/sha256.h"
#include "repro/base/text.h"

namespace repro {
namespace {

constexpr std::size_t longest_stem = 200;

void append_percent(std::string& out, char c) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += digits[byte >> 4];
  out += digits[byte & 15U];
}

bool needs_percent(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || std::string_view("/\\:*?\"<>|%").find(c) != std::string_view::npos;
}

// Numeric references are inert in Markdown: they never start or end markup.
std::string with_references(std::string_view text, std::string_view special) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool starts_address = text.substr(i).starts_with("://");
    if (special.find(c) == std::string_view::npos && !starts_address) {
      out += c;
    } else {
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    }
  }
  return out;
}

}  // namespace

std::string safe_text(std::string_view text) {
  std::string shown = displayable(text);
  std::string undone;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    undone += shown[i];
    if (shown[i] == '\\' && i + 1 < shown.size() && shown[i + 1] == '\\') ++i;
  }
  return undone == text ? undone : shown;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : safe_text(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out = safe_text(text);
  // The two code points that displayable() keeps and XML 1.0 forbids: U+FFFE and U+FFFF.
  for (const auto& [bytes, shown] :
       {std::pair<std::string_view, std::string_view>{"\xEF\xBF\xBE", "\\u{FFFE}"},
        {"\xEF\xBF\xBF", "\\u{FFFF}"}}) {
    for (std::size_t at = 0; (at = out.find(bytes, at)) != std::string::npos;) {
      out.replace(at, bytes.size(), shown);
    }
  }
  return out;
}

std::string markdown_text(std::string_view text) {
  return with_references(safe_text(text), "\\`*_{}[]<>#|~@&\"'!");
}

std::string markdown_code(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/' || c == ' ';
  });
  if (plain && text.front() != ' ' && text.back() != ' ') return "`" + std::string(text) + "`";
  return "<code>" + markdown_text(text) + "</code>";
}

std::string json_text(std::string_view text) { return is_utf8(text) ? std::string(text) : safe_text(text); }

std::string file_name_for(std::string_view tensor) {
  if (tensor.empty()) return "%";
  std::string out;
  std::size_t cut = 0;  // the longest prefix that leaves room for the hash
  constexpr std::size_t room = longest_stem - 17;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const char c = tensor[i];
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
    if (!continues && out.size() <= room) cut = out.size();
    if (needs_percent(c) || (i == 0 && (c == '.' || tensor == "tensors"))) {
      append_percent(out, c);
    } else {
      out += c;
    }
  }
  if (out.size() <= longest_stem) return out;
  return out.substr(0, cut) + "~" + sha256_hex(as_byte_view(tensor)).substr(0, 16);
}

}  // namespace repro

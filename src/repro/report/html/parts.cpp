// Building blocks that the sections share.
#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"

namespace repro::html {

std::string section(const std::string& id, const std::string& title, const std::string& content) {
  if (content.empty()) return "";
  return "<section id=\"" + id + "\">\n<h2>" + html_text(title) + "</h2>\n" + content + "</section>\n";
}

std::string table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::string out = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const Column& column : columns) {
    out += std::string(column.numeric ? "<th class=\"n\">" : "<th>") + html_text(column.title) + "</th>";
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (columns[i].numeric ? "<td class=\"n\">" : "<td>") + row[i] + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string details(const std::string& summary, const std::string& content, bool open) {
  return std::string(open ? "<details open>" : "<details>") + "<summary>" + html_text(summary) +
         "</summary>\n" + content + "</details>\n";
}

std::string code(const std::string& text) { return "<code>" + html_text(text) + "</code>"; }

std::string badge(Verdict verdict) {
  return "<span class=\"badge " + std::string(name_of(verdict)) + "\">" + words_of(name_of(verdict)) +
         "</span>";
}

std::string optional_number(const std::optional<double>& value) {
  return value ? rounded(*value) : "<span class=\"none\">–</span>";
}
std::string optional_count(const std::optional<std::uint64_t>& value) {
  return value ? thousands(*value) : "<span class=\"none\">–</span>";
}

}  // namespace repro::html

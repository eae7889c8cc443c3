#include "repro/report/table.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace repro {
namespace {

constexpr int spared_rank = 3;  // columns of lower rank are worth more than whole names

// How a table is laid out at one level of shortening.
struct Layout {
  bool short_titles = false;
  bool shrunk = false;
  int gap = 2;
  std::vector<std::size_t> columns;  // those shown, in order
};

const std::string& title_of(const TableColumn& column, const Layout& layout) {
  return layout.short_titles && !column.short_title.empty() ? column.short_title : column.title;
}

// Of all columns, at full titles [0] and short ones [1]: measured once, as tables may be long.
using Widths = std::vector<std::array<int, 2>>;
Widths measured(const std::vector<TableColumn>& columns, const std::vector<std::vector<TableCell>>& rows) {
  Widths widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    int widest = 0;
    for (const auto& row : rows) widest = std::max(widest, terminal_width(row[i].text));
    const TableColumn& column = columns[i];
    const std::string& shorter = column.short_title.empty() ? column.title : column.short_title;
    widths.push_back(
        {std::max(widest, terminal_width(column.title)), std::max(widest, terminal_width(shorter))});
  }
  return widths;
}

int total_width(const std::vector<int>& widths, int gap) {
  int total = gap * static_cast<int>(widths.size() - 1);
  for (const int width : widths) total += width;
  return total;
}

// Takes from the widest of the columns that may be cut until the table fits or none is left to cut.
void shrink(std::vector<int>& widths, const std::vector<TableColumn>& columns, const Layout& layout,
            int width) {
  while (total_width(widths, layout.gap) > width) {
    std::size_t widest = widths.size();
    for (std::size_t k = 0; k < widths.size(); ++k) {
      const int least = columns[layout.columns[k]].shrink_to;
      if (least > 0 && widths[k] > least && (widest == widths.size() || widths[k] > widths[widest]))
        widest = k;
    }
    if (widest == widths.size()) return;
    --widths[widest];
  }
}

std::vector<int> widths_of(const Widths& all, const std::vector<TableColumn>& columns, const Layout& layout,
                           int width) {
  std::vector<int> widths;
  for (const std::size_t i : layout.columns) widths.push_back(all[i][layout.short_titles ? 1 : 0]);
  if (layout.shrunk) shrink(widths, columns, layout, width);
  return widths;
}

Layout fitting_layout(const std::vector<TableColumn>& columns, const Widths& all, int width) {
  Layout layout;
  for (std::size_t i = 0; i < columns.size(); ++i) layout.columns.push_back(i);
  const auto fits = [&] { return total_width(widths_of(all, columns, layout, width), layout.gap) <= width; };
  if (fits()) return layout;
  layout.short_titles = true;
  if (fits()) return layout;
  layout.gap = 1;
  while (!fits()) {
    const auto worst = std::max_element(layout.columns.begin(), layout.columns.end(), [&](auto a, auto b) {
      return columns[a].drop_rank < columns[b].drop_rank;
    });
    const int rank = columns[*worst].drop_rank;
    if (rank < spared_rank && !layout.shrunk) {
      layout.shrunk = true;
    } else if (rank == 0) {
      break;
    } else {
      layout.columns.erase(worst);
    }
  }
  return layout;
}

void append_line(std::string& out, const std::vector<TableCell>& cells,
                 const std::vector<TableColumn>& columns, const Layout& layout,
                 const std::vector<int>& widths) {
  std::string line;
  for (std::size_t k = 0; k < layout.columns.size(); ++k) {
    const TableColumn& column = columns[layout.columns[k]];
    TableCell cell = cells[layout.columns[k]];
    if (column.shrink_to > 0) cell.text = cut_middle(cell.text, widths[k]);
    const auto padding = static_cast<std::size_t>(widths[k] - terminal_width(cell.text));
    const bool right = column.right_aligned;
    if (k > 0) line.append(static_cast<std::size_t>(layout.gap), ' ');
    if (right) line.append(padding, ' ');
    line += styled(cell.text, cell.style);
    if (!right) line.append(padding, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

struct Character {
  std::size_t bytes = 1;
  int columns = 1;
};
Character first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = std::min<std::size_t>(text.size(), lead >= 0xF0   ? 4
                                                                : lead >= 0xE0 ? 3
                                                                : lead >= 0xC0 ? 2
                                                                               : 1);
  char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) c = (c << 6) | (static_cast<unsigned char>(text[k]) & 0x3FU);
  return {length, is_wide(c) ? 2 : 1};
}

}  // namespace

std::string render_table(const std::vector<TableColumn>& columns,
                         const std::vector<std::vector<TableCell>>& rows, int width) {
  const Widths all = measured(columns, rows);
  const Layout layout = fitting_layout(columns, all, width);
  const std::vector<int> widths = widths_of(all, columns, layout, width);
  std::vector<TableCell> titles;
  for (const TableColumn& column : columns) titles.push_back({title_of(column, layout), ""});
  std::string out;
  append_line(out, titles, columns, layout, widths);
  for (const auto& row : rows) append_line(out, row, columns, layout, widths);
  return out;
}

int terminal_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Character first = first_of(text);
    width += first.columns;
    text.remove_prefix(first.bytes);
  }
  return width;
}

std::string cut_middle(std::string_view text, int width) {
  int excess = terminal_width(text) - width;
  if (excess <= 0) return std::string(text);
  excess += 3;  // for the dots
  std::size_t begin = 0;
  for (int kept = 0; kept < (width - 3) / 6;) {
    const Character next = first_of(text.substr(begin));
    kept += next.columns;
    begin += next.bytes;
  }
  std::size_t end = begin;
  while (excess > 0 && end < text.size()) {
    const Character next = first_of(text.substr(end));
    excess -= next.columns;
    end += next.bytes;
  }
  return std::string(text.substr(0, begin)) + "..." + std::string(text.substr(end));
}

std::string wrapped(const std::string& text, int width, std::size_t indentation) {
  std::string out;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && terminal_width(line) + 1 + terminal_width(word) > width) {
      out += line + "\n";
      line = std::string(indentation, ' ') + word;
    } else {
      line += (line.empty() && out.empty() ? "" : " ") + word;
    }
  }
  return out + line + "\n";
}

std::string styled(const std::string& text, const std::string& style) {
  return style.empty() || text.empty() ? text : style + text + "\x1b[0m";
}

}  // namespace repro

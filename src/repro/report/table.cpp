#include "repro/report/table.h"

#include <algorithm>
#include <string_view>

namespace repro {
namespace {

// How a table is laid out at one level of shortening.
struct Layout {
  bool short_titles = false;
  int gap = 2;
  std::vector<std::size_t> columns;  // those shown, in order
};

const std::string& title_of(const TableColumn& column, const Layout& layout) {
  return layout.short_titles && !column.short_title.empty() ? column.short_title : column.title;
}

std::vector<int> widths_of(const std::vector<TableColumn>& columns,
                           const std::vector<std::vector<TableCell>>& rows, const Layout& layout) {
  std::vector<int> widths;
  for (const std::size_t i : layout.columns) {
    int widest = terminal_width(title_of(columns[i], layout));
    for (const auto& row : rows) widest = std::max(widest, terminal_width(row[i].text));
    widths.push_back(widest);
  }
  return widths;
}

int total_width(const std::vector<int>& widths, int gap) {
  int total = gap * static_cast<int>(widths.size() - 1);
  for (const int width : widths) total += width;
  return total;
}

Layout fitting_layout(const std::vector<TableColumn>& columns,
                      const std::vector<std::vector<TableCell>>& rows, int width) {
  Layout layout;
  for (std::size_t i = 0; i < columns.size(); ++i) layout.columns.push_back(i);
  const auto fits = [&] { return total_width(widths_of(columns, rows, layout), layout.gap) <= width; };
  if (fits()) return layout;
  layout.short_titles = true;
  if (fits()) return layout;
  layout.gap = 1;
  while (!fits()) {
    const auto worst = std::max_element(layout.columns.begin(), layout.columns.end(), [&](auto a, auto b) {
      return columns[a].drop_rank < columns[b].drop_rank;
    });
    if (columns[*worst].drop_rank == 0) break;
    layout.columns.erase(worst);
  }
  return layout;
}

void append_line(std::string& out, const std::vector<TableCell>& cells,
                 const std::vector<TableColumn>& columns, const Layout& layout,
                 const std::vector<int>& widths) {
  std::string line;
  for (std::size_t k = 0; k < layout.columns.size(); ++k) {
    const TableCell& cell = cells[layout.columns[k]];
    const auto padding = static_cast<std::size_t>(widths[k] - terminal_width(cell.text));
    const bool right = columns[layout.columns[k]].right_aligned;
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

}  // namespace

std::string render_table(const std::vector<TableColumn>& columns,
                         const std::vector<std::vector<TableCell>>& rows, int width) {
  const Layout layout = fitting_layout(columns, rows, width);
  const std::vector<int> widths = widths_of(columns, rows, layout);
  std::vector<TableCell> titles;
  for (const TableColumn& column : columns) titles.push_back({title_of(column, layout), ""});
  std::string out;
  append_line(out, titles, columns, layout, widths);
  for (const auto& row : rows) append_line(out, row, columns, layout, widths);
  return out;
}

int terminal_width(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
      c = (c << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    }
    width += is_wide(c) ? 2 : 1;
    i += length;
  }
  return width;
}

std::string styled(const std::string& text, const std::string& style) {
  return style.empty() || text.empty() ? text : style + text + "\x1b[0m";
}

}  // namespace repro

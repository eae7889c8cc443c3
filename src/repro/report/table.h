#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace repro {

// A table for the terminal: one line per row, columns aligned, no lines of dashes.
struct TableColumn {
  std::string title;
  std::string short_title;  // used where the full title does not fit
  bool right_aligned = true;
  int drop_rank = 0;  // 0: never dropped; higher ranks are dropped first
  int shrink_to = 0;  // > 0: longer cells may be cut in their middle, down to so many columns
};
struct TableCell {
  std::string text;
  std::string style;  // ANSI style, such as "\x1b[32m"; "" for none
};

// At most `width` columns wide if that can be had: full titles and two spaces between columns, then short
// titles, then one space, then columns of rank 3 and more dropped, then cells cut, then the other columns
// dropped. Precondition: every row has a cell per column.
std::string render_table(const std::vector<TableColumn>& columns,
                         const std::vector<std::vector<TableCell>>& rows, int width);

// Columns that valid UTF-8 text takes in a terminal: one per character, two for wide ones (CJK).
int terminal_width(std::string_view text);

// Valid UTF-8 text of at most `width` columns: "encoder...weight", more of its end than of its beginning.
// Precondition: width >= 4.
std::string cut_middle(std::string_view text, int width);

// Valid UTF-8 text in lines of at most `width` columns where its words allow that, each ended by a line
// break; all but the first indented.
std::string wrapped(const std::string& text, int width, std::size_t indentation);

// Text in a style, ended by a reset; unchanged for "".
std::string styled(const std::string& text, const std::string& style);

}  // namespace repro

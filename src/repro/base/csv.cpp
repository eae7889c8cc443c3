#include "repro/base/csv.h"

#include "repro/base/error.h"

namespace repro {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv_row(std::span<const std::string> fields) {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += ',';
    out += csv_field(fields[i]);
  }
  return out + '\n';
}

std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::string_view what) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  enum class State { plain, quoted, closed } state = State::plain;
  std::size_t line = 1;
  const auto fail = [&](const char* reason) {
    throw Error(ErrorKind::input, std::string(what) + ": line " + std::to_string(line) + ": " + reason);
  };
  const auto end_field = [&] {
    row.push_back(std::move(field));
    field.clear();
    state = State::plain;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (state == State::quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        state = State::closed;
      }
    } else if (c == ',') {
      end_field();
    } else if (c == '\n') {
      end_field();
      rows.push_back(std::move(row));
      row.clear();
    } else if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      continue;
    } else if (state == State::closed) {
      fail("text after a closing quote");
    } else if (c == '"' && field.empty()) {
      state = State::quoted;
    } else {
      field += c;
    }
  }
  if (state == State::quoted) fail("a quote is not closed");
  if (!field.empty() || !row.empty()) {
    end_field();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace repro

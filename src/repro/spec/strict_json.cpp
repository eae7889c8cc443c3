#include "repro/spec/strict_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "repro/base/error.h"
#include "repro/base/text.h"
#include "repro/spec/json_pointer.h"

namespace repro {
namespace {

// long double, because nlohmann gives up the whole text at a number that its type cannot hold; the
// decoder wants to say that of 1e400, together with all other mistakes.
using WideJson =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;

constexpr std::size_t max_duplicates = 1000;

// "line 3, column 7" of a byte offset.
std::string place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 if there is none
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                                    [](char c) { return (c & '\xC0') != '\x80'; }) +
                      1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

[[noreturn]] void refuse(std::string_view what, const std::string& message) {
  throw Error(ErrorKind::request, std::string(what) + " " + message);
}

// Receives nlohmann's events and builds the tree. Trouble is thrown through the parser.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::string_view what) : text_(text), what_(what) {}
  JsonDocument take() { return std::move(document_); }

  // The events that WideJson::sax_parse demands; true means "go on".
  bool null() { return add({}); }
  bool boolean(bool value) { return add(json(value)); }
  bool number_integer(std::int64_t value) { return add(json(value)); }
  bool number_unsigned(std::uint64_t value) { return add(json(value)); }
  bool number_float(long double, const std::string& written) {
    JsonValue value;
    value.type = JsonValue::Type::number;
    value.text = written;
    // nlohmann puts in the decimal point of the locale in force.
    std::replace_if(
        value.text.begin(), value.text.end(),
        [](char c) { return std::string_view("+-eE0123456789").find(c) == std::string_view::npos; }, '.');
    return add(std::move(value));
  }
  bool string(const std::string& value) { return add(json(std::string_view(value))); }
  bool binary(const std::vector<std::uint8_t>&) { return false; }  // never sent for JSON text
  bool start_object(std::size_t) { return open(json_object()); }
  bool start_array(std::size_t) { return open(json_array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(const std::string& key);
  [[noreturn]] bool parse_error(std::size_t position, const std::string& token,
                                const nlohmann::detail::exception& trouble);

 private:
  bool add(JsonValue value);
  bool open(JsonValue container);
  bool close();
  std::string pointer() const;  // of the innermost open container

  std::string_view text_;
  std::string_view what_;
  JsonDocument document_;
  std::size_t values_ = 0;
  // Open containers, outermost first. Only the last one grows, so the pointers stay valid.
  std::vector<JsonValue*> open_;
  std::vector<std::unordered_set<std::string>> seen_;  // keys of the open containers
};

bool TreeBuilder::add(JsonValue value) {
  if (++values_ > max_json_values) {
    refuse(what_, "has more than " + thousands(max_json_values) + " values");
  }
  if (open_.empty()) {
    document_.root = std::move(value);
  } else {
    open_.back()->items.push_back(std::move(value));
  }
  return true;
}

bool TreeBuilder::open(JsonValue container) {
  if (open_.size() >= max_json_depth) {
    refuse(what_, "is nested deeper than " + std::to_string(max_json_depth) + " levels at '" +
                      displayable(pointer()) + "'");
  }
  add(std::move(container));
  open_.push_back(open_.empty() ? &document_.root : &open_.back()->items.back());
  seen_.emplace_back();
  return true;
}

bool TreeBuilder::close() {
  open_.pop_back();
  seen_.pop_back();
  return true;
}

bool TreeBuilder::key(const std::string& key) {
  const bool is_new = seen_.back().insert(key).second;
  if (!is_new && document_.duplicates.size() < max_duplicates) {
    document_.duplicates.push_back(child_pointer(pointer(), key));
  }
  open_.back()->keys.push_back(key);
  return true;
}

std::string TreeBuilder::pointer() const {
  std::string out;
  for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
    const JsonValue& container = *open_[i];
    out = container.type == JsonValue::Type::object
              ? child_pointer(out, container.keys.back())
              : child_pointer(out, std::to_string(container.items.size() - 1));
  }
  return out;
}

bool TreeBuilder::parse_error(std::size_t position, const std::string&,
                              const nlohmann::detail::exception& trouble) {
  // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing
  // value - invalid literal; last read: 'x'": only what stands behind the place is kept, at a
  // bearable length.
  std::string found = trouble.what();
  if (const auto at = found.find("syntax error "); at != std::string::npos) {
    found.erase(0, at);
  } else if (const auto end = found.find("] "); end != std::string::npos) {
    found.erase(0, end + 2);
  }
  if (found.size() > 240) found = found.substr(0, 120) + " ... " + found.substr(found.size() - 110);
  refuse(what_, "is not valid JSON: " + place_of(text_, std::max<std::size_t>(position, 1) - 1) + ": " +
                    displayable(found));
}

void check_bytes(std::string_view text, std::string_view what) {
  if (text.size() > max_json_bytes) {
    refuse(what, "has " + thousands(std::uint64_t{text.size()}) + " bytes; at most " +
                     thousands(std::uint64_t{max_json_bytes}) + " are allowed");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    refuse(what, "is UTF-16; save it as UTF-8");
  }
  // nlohmann takes a zero byte for the end of the text and would ignore what follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    refuse(what, "is not valid JSON: " + place_of(text, zero) + ": a zero byte");
  }
}

}  // namespace

JsonDocument parse_strict_json(std::string_view text, std::string_view what) {
  check_bytes(text, what);
  TreeBuilder builder(text, what);
  WideJson::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace repro

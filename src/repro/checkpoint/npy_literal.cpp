#include "repro/checkpoint/npy_literal.h"

#include <limits>

#include "repro/base/text.h"
#include "repro/checkpoint/refuse.h"

namespace repro {
namespace {

constexpr std::size_t max_dimensions = 64;  // NumPy's own limit

class LiteralReader {
 public:
  LiteralReader(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  NpyLiteral read() {
    expect('{');
    while (!accept('}')) {
      read_entry();
      if (accept('}')) break;
      expect(',');
    }
    skip_space();
    if (at_ + 1 != text_.size() || text_[at_] != '\n') fail("a newline, and nothing more");
    for (const Key& key : keys_) {
      if (!key.seen) refuse(what_, std::string("the header's key '") + key.name + "' is missing");
    }
    return std::move(result_);
  }

 private:
  struct Key {
    const char* name;
    bool seen;
  };

  [[noreturn]] void fail(const std::string& allowed) const {
    const std::string found =
        at_ < text_.size() ? "'" + displayable(text_.substr(at_, 1)) + "'" : std::string("its end");
    refuse(what_, "the header has " + found + " at byte " + thousands(std::uint64_t{at_}) + ", allowed is " +
                      allowed);
  }

  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  // True if the next character after spaces is `c`, which is then passed.
  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "'");
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  // A string in either quotes. Escapes are passed over, not translated: no name that we know has any.
  std::string string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("a string");
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) {
      at_ = text_.size();
      fail("the end of a string");
    }
    return std::string(text_.substr(begin, at_++ - begin));
  }

  void read_entry() {
    const std::string name = string();
    Key* key = nullptr;
    for (Key& known : keys_) {
      if (name == known.name) key = &known;
    }
    if (key == nullptr) {
      refuse(what_, "the header has the key '" + displayable(name.substr(0, 100)) +
                        "', allowed are descr, fortran_order and shape");
    }
    if (key->seen) refuse(what_, "the header's key '" + name + "' occurs twice");
    key->seen = true;
    expect(':');
    if (name == "descr") {
      read_descr();
    } else if (name == "shape") {
      read_shape();
    } else {
      result_.fortran_order = accept_word("True");
      if (!result_.fortran_order && !accept_word("False")) fail("True or False");
    }
  }

  void read_descr() {
    skip_space();
    const std::size_t begin = at_;
    if (begin < text_.size() && (text_[begin] == '[' || text_[begin] == '(')) {
      skip_brackets();
      result_.structured = true;
      result_.descr = text_.substr(begin, at_ - begin);
    } else {
      result_.descr = string();
    }
  }

  // Passes over a list or a tuple with whatever it holds; the kinds of brackets must match only in number.
  void skip_brackets() {
    std::size_t depth = 0;
    do {
      if (at_ >= text_.size()) fail("']'");
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        string();
        continue;
      }
      if (c == '[' || c == '(' || c == '{') ++depth;
      if (c == ']' || c == ')' || c == '}') --depth;
      ++at_;
    } while (depth > 0);
  }

  void read_shape() {
    expect('(');
    while (!accept(')')) {
      if (result_.shape.size() == max_dimensions) {
        refuse(what_, "the shape has more than the " + std::to_string(max_dimensions) +
                          " dimensions that are allowed");
      }
      result_.shape.push_back(size());
      if (accept(')')) {
        // (3) is a number in Python, not a tuple.
        if (result_.shape.size() == 1) fail("',' after the only size of the shape");
        break;
      }
      expect(',');
    }
  }

  std::int64_t size() {
    skip_space();
    const std::size_t begin = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value)) {
        fail("a size up to 9223372036854775807");
      }
    }
    const bool leading_zero = at_ > begin + 1 && text_[begin] == '0';
    if (at_ == begin || leading_zero) fail("a whole number from 0 to 9223372036854775807");
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote long numbers
    return value;
  }

  std::string_view text_;
  const std::string& what_;
  std::size_t at_ = 0;
  NpyLiteral result_;
  Key keys_[3] = {{"descr", false}, {"fortran_order", false}, {"shape", false}};
};

}  // namespace

NpyLiteral parse_npy_literal(std::string_view text, const std::string& what) {
  return LiteralReader(text, what).read();
}

}  // namespace repro

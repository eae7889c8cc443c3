#pragma once

#include <concepts>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace repro {

// An optional value that lives on the heap, for members that few of many objects have: empty, it takes one
// pointer. Copies are deep.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT: as std::optional
  Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  explicit operator bool() const { return value_ != nullptr; }
  bool has_value() const { return value_ != nullptr; }
  T& operator*() const { return *value_; }
  T* operator->() const { return value_.get(); }

  friend bool operator==(const Boxed& a, const Boxed& b) {
    return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
  }

 private:
  std::unique_ptr<T> value_;
};

// Text that is mostly empty; reads as a std::string.
class RareText {
 public:
  RareText() = default;
  RareText(std::string text) {  // NOLINT: as a string
    if (!text.empty()) text_ = Boxed<std::string>(std::move(text));
  }
  RareText(std::string_view text) : RareText(std::string(text)) {}  // NOLINT
  RareText(const char* text) : RareText(std::string(text)) {}       // NOLINT

  bool empty() const { return !text_; }
  const std::string& text() const {
    static const std::string nothing;
    return text_ ? *text_ : nothing;
  }
  operator const std::string&() const { return text(); }  // NOLINT: as a string
  operator std::string_view() const { return text(); }    // NOLINT

  friend bool operator==(const RareText& a, const RareText& b) { return a.text() == b.text(); }
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  friend bool operator==(const RareText& a, const Text& b) {
    return a.text() == std::string_view(b);
  }
  friend std::ostream& operator<<(std::ostream& out, const RareText& text) { return out << text.text(); }

 private:
  Boxed<std::string> text_;
};

}  // namespace repro

#pragma once

#include <algorithm>
#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace repro {

// Plain values that do not change any more, shared by all copies of the array: it takes one pointer, a copy
// costs no memory, and an empty one has nothing on the heap. For members of objects of which there are many.
// Copies may be used by several threads, as those of std::shared_ptr.
template <class T>
class SharedArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);

 public:
  using value_type = T;
  using const_iterator = const T*;

  SharedArray() = default;
  SharedArray(std::span<const T> values) : block_(allocate(values.size())) {  // NOLINT: as a container
    if (block_ != nullptr) std::uninitialized_copy(values.begin(), values.end(), elements());
  }
  SharedArray(const std::vector<T>& values) : SharedArray(std::span(values)) {}  // NOLINT
  SharedArray(std::initializer_list<T> values)
      : SharedArray(std::span<const T>(values.begin(), values.size())) {}
  SharedArray(const SharedArray& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->users.fetch_add(1, std::memory_order_relaxed);
  }
  SharedArray(SharedArray&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedArray& operator=(SharedArray other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedArray() {
    if (block_ == nullptr || block_->users.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    block_->~Block();
    ::operator delete(block_);
  }

  std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return block_ == nullptr; }
  const T* data() const { return block_ == nullptr ? nullptr : elements(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t index) const { return elements()[index]; }

  friend bool operator==(const SharedArray& a, const SharedArray& b) {
    return a.block_ == b.block_ || std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend auto operator<=>(const SharedArray& a, const SharedArray& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  // The values follow it. Eight bytes, since most arrays are short.
  struct alignas(8) Block {
    std::atomic<std::uint32_t> users;
    std::uint32_t size;
  };

  static Block* allocate(std::size_t size) {
    if (size == 0) return nullptr;
    if (size > std::numeric_limits<std::uint32_t>::max()) {
      throw std::length_error("an array of more than 2^32 values to be shared");
    }
    return new (::operator new(sizeof(Block) + size * sizeof(T))) Block{1, static_cast<std::uint32_t>(size)};
  }
  T* elements() const { return reinterpret_cast<T*>(block_ + 1); }

  Block* block_ = nullptr;
};

// Text that does not change any more, shared by all copies. Reads as a std::string or a view of one.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string_view text) : text_(std::span(text)) {}                // NOLINT: as a string
  SharedText(const std::string& text) : SharedText(std::string_view(text)) {}  // NOLINT
  SharedText(const char* text) : SharedText(std::string_view(text)) {}         // NOLINT
  bool empty() const { return text_.empty(); }
  std::string_view view() const { return {text_.data(), text_.size()}; }
  std::string text() const { return std::string(view()); }
  operator std::string_view() const { return view(); }  // NOLINT
  operator std::string() const { return text(); }       // NOLINT

  friend bool operator==(const SharedText& a, const SharedText& b) { return a.text_ == b.text_; }
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  friend bool operator==(const SharedText& a, const Text& b) {
    return a.view() == std::string_view(b);
  }
  friend auto operator<=>(const SharedText& a, const SharedText& b) { return a.view() <=> b.view(); }
  friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.view(); }

 private:
  SharedArray<char> text_;
};

}  // namespace repro

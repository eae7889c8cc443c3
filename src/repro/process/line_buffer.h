#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace repro {

// Splits bytes that arrive in pieces into lines. Linear in the bytes, whatever the pieces are.
class LineBuffer {
 public:
  void append(std::string_view bytes) {
    data_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = 0;
    data_ += bytes;
  }
  // No more bytes will come: what is left without a line break is the last line.
  void finish() {
    if (unfinished() > 0 && data_.back() != '\n') append("\n");
  }
  // The next whole line, without its line break.
  std::optional<std::string> next() {
    const std::size_t end = data_.find('\n', scanned_);
    if (end == std::string::npos) {
      scanned_ = data_.size();
      return std::nullopt;
    }
    std::string line = data_.substr(begin_, end - begin_);
    begin_ = scanned_ = end + 1;
    return line;
  }
  // Bytes that were not returned yet; after next() gave nothing: the length of the line so far.
  std::size_t unfinished() const { return data_.size() - begin_; }

 private:
  std::string data_;
  std::size_t begin_ = 0;    // of the first line that was not returned
  std::size_t scanned_ = 0;  // no line break in [begin_, scanned_)
};

}  // namespace repro

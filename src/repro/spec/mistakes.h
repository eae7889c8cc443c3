#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repro/base/error.h"

namespace repro {

// Everything that is wrong with a spec, in one exception of kind request. Each mistake is
// "<JSON pointer>: <message>", safe to show. message() holds the first three and says how many
// more.
class SpecError : public Error {
 public:
  // `total` >= mistakes.size() > 0: how many there are, listed or not.
  SpecError(std::vector<std::string> mistakes, std::size_t total);
  const std::vector<std::string>& mistakes() const noexcept { return mistakes_; }
  std::size_t total() const noexcept { return total_; }

 private:
  std::vector<std::string> mistakes_;
  std::size_t total_;
};

// Collects mistakes. The first 1000 are kept, the others counted.
class Mistakes {
 public:
  // `pointer` as in the file; the message must be safe to show.
  void add(std::string_view pointer, std::string_view message);
  bool empty() const { return total_ == 0; }
  bool full() const { return mistakes_.size() >= max_kept; }
  // Whether there is a mistake at `pointer` or below it.
  bool any_below(std::string_view pointer) const;
  // Throws SpecError unless there are none.
  void throw_if_any() const;

 private:
  static constexpr std::size_t max_kept = 1000;
  std::vector<std::string> pointers_;
  std::vector<std::string> mistakes_;
  std::size_t total_ = 0;
};

}  // namespace repro

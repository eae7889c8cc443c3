#include "repro/spec/mistakes.h"

#include <algorithm>
#include <span>

#include "repro/base/text.h"

namespace repro {
namespace {

std::string summary(const std::vector<std::string>& mistakes, std::size_t total) {
  if (total == 1) return mistakes.front();
  const std::size_t shown = std::min<std::size_t>(mistakes.size(), 3);
  std::string out = plural(static_cast<std::int64_t>(total), "mistake") +
                    " in the spec: " + join(std::span(mistakes).first(shown), "; ");
  if (total > shown) out += "; and " + thousands(std::uint64_t{total - shown}) + " more";
  return out;
}

}  // namespace

SpecError::SpecError(std::vector<std::string> mistakes, std::size_t total)
    : Error(ErrorKind::request, summary(mistakes, total)), mistakes_(std::move(mistakes)), total_(total) {}

void Mistakes::add(std::string_view pointer, std::string_view message) {
  ++total_;
  if (full()) return;
  pointers_.emplace_back(pointer);
  const std::string place = pointer.empty() ? "the spec" : displayable(pointer);
  mistakes_.push_back(place + ": " + std::string(message));
}

bool Mistakes::any_below(std::string_view pointer) const {
  return std::any_of(pointers_.begin(), pointers_.end(), [&](const std::string& p) {
    return p.starts_with(pointer) && (p.size() == pointer.size() || p[pointer.size()] == '/');
  });
}

void Mistakes::throw_if_any() const {
  if (!empty()) throw SpecError(mistakes_, total_);
}

}  // namespace repro

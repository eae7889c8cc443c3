#include <cstdint>
#include <cstdlib>
#include <span>

#include "repro/base/error.h"
#include "repro/data/idx.h"

// Any bytes are a set of images or labels or an Error of kind input, and what is read has the promised
// size.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const repro::ByteView file = std::as_bytes(std::span(data, size));
  try {
    const repro::ImageSet set = repro::read_idx_images(file, "fuzz");
    const auto pixels = static_cast<std::size_t>(set.count * set.rows * set.columns);
    if (pixels == 0 || set.pixels.size() != pixels) std::abort();
    if (repro::read_idx_image_header(file, "fuzz").count != set.count) std::abort();
  } catch (const repro::Error& error) {
    if (error.kind() != repro::ErrorKind::input || error.message().empty()) std::abort();
  }
  try {
    if (repro::read_idx_labels(file, "fuzz").empty()) std::abort();
  } catch (const repro::Error& error) {
    if (error.kind() != repro::ErrorKind::input || error.message().empty()) std::abort();
  }
  return 0;
}

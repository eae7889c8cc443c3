#include <cstdint>
#include <cstdlib>
#include <span>

#include "repro/base/error.h"
#include "repro/checkpoint/checkpoint.h"
#include "repro/checkpoint/numpy.h"

// Any bytes are a .npy file or an Error of kind input; an array that was read lies within the bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace repro;
  try {
    Checkpoint checkpoint;
    read_npy(std::as_bytes(std::span(data, size)), "fuzz", checkpoint);
    if (checkpoint.items.size() != 1) std::abort();
    const Item& item = checkpoint.items[0];
    // A bug if it reaches beyond the bytes. Compressed or repeated elements do not exist here.
    if (item.not_compared_reason.empty() && materialise(item.tensor).storage.size() > size) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || error.message().empty()) std::abort();
  }
  return 0;
}

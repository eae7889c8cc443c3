#include "repro/snapshot/tensor_hash.h"

#include <algorithm>

#include "repro/base/sha256.h"

namespace repro {

std::string sha256_of(const StoredTensor& tensor) {
  constexpr std::uint64_t step = 65536;  // elements at a time
  const RowMajor reader(tensor);
  const std::uint64_t count = tensor.size();
  Sha256Stream stream;
  Bytes scratch;
  for (std::uint64_t first = 0; first < count; first += step) {
    stream.append(reader.read(first, std::min(step, count - first), scratch));
  }
  return to_hex(stream.finish());
}

}  // namespace repro

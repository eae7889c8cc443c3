#pragma once

#include <utility>

#include "repro/tensor/stored_tensor.h"

namespace repro {

// Bytes that were decoded from a pickle.
class OwnedStorage : public Storage {
 public:
  explicit OwnedStorage(Bytes bytes) : bytes_(std::move(bytes)) {}
  ByteView bytes() const override { return bytes_; }
  std::uint64_t size_bytes() const override { return bytes_.size(); }

 private:
  Bytes bytes_;
};

}  // namespace repro

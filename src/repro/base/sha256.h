#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "repro/base/bytes.h"

namespace repro {

using Sha256 = std::array<std::byte, 32>;

// FIPS 180-4, through OpenSSL, of bytes that come piece by piece.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(const Sha256Stream&) = delete;
  Sha256Stream& operator=(const Sha256Stream&) = delete;
  void append(ByteView bytes);
  Sha256 finish();  // once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Sha256 sha256(ByteView bytes);
std::string sha256_hex(ByteView bytes);  // 64 lower-case digits
std::string sha256_hex_of_file(const std::filesystem::path& path);

}  // namespace repro

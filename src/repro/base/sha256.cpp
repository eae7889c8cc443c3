#include "repro/base/sha256.h"

#include <openssl/evp.h>

#include "repro/base/error.h"
#include "repro/base/files.h"

namespace repro {

Sha256 sha256(ByteView bytes) {
  Sha256 out;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(out.data()), &size,
                 EVP_sha256(), nullptr) != 1 ||
      size != out.size()) {
    throw Error(ErrorKind::bug, "OpenSSL could not compute a SHA-256");
  }
  return out;
}

std::string sha256_hex(ByteView bytes) { return to_hex(sha256(bytes)); }

std::string sha256_hex_of_file(const std::filesystem::path& path) {
  return sha256_hex(MappedFile(path).bytes());
}

}  // namespace repro

#include "repro/base/sha256.h"

#include <openssl/evp.h>

#include "repro/base/error.h"
#include "repro/base/files.h"
#include "repro/base/mapped_file.h"

namespace repro {

namespace {

void require(int result) {
  if (result != 1) throw Error(ErrorKind::bug, "OpenSSL could not compute a SHA-256");
}

}  // namespace

struct Sha256Stream::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) {
  require(state_->context != nullptr ? EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) : 0);
}
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::append(ByteView bytes) {
  require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()));
}

Sha256 Sha256Stream::finish() {
  Sha256 out;
  unsigned size = 0;
  require(EVP_DigestFinal_ex(state_->context, reinterpret_cast<unsigned char*>(out.data()), &size));
  require(size == out.size() ? 1 : 0);
  return out;
}

Sha256 sha256(ByteView bytes) {
  Sha256Stream stream;
  stream.append(bytes);
  return stream.finish();
}

std::string sha256_hex(ByteView bytes) { return to_hex(sha256(bytes)); }

std::string sha256_hex_of_file(const std::filesystem::path& path) {
  return sha256_hex(MappedFile(path).bytes());
}

}  // namespace repro

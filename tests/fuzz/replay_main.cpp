// Replays the seeds of a fuzzer without libFuzzer: every file whole, cut at every length, and with every byte
// changed. Ends by a signal or a sanitizer's report if the target finds something.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

// An exact allocation, so that a read past the end is seen.
void try_one(const std::vector<std::uint8_t>& bytes, std::size_t size) {
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

void replay(std::vector<std::uint8_t> bytes) {
  try_one(bytes, bytes.size());
  // Long seeds are cut and changed at some 1,000 places only.
  const std::size_t stride = bytes.size() / 1000 + 1;
  for (std::size_t i = 0; i < bytes.size(); i += stride) {
    try_one(bytes, i);
    const std::uint8_t original = bytes[i];
    for (const int flip : {0x01, 0x80, 0xFF}) {
      bytes[i] = static_cast<std::uint8_t>(original ^ flip);
      try_one(bytes, bytes.size());
    }
    bytes[i] = original;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      replay({std::istreambuf_iterator<char>(file), {}});
      ++files;
    }
  }
  std::cout << files << " seeds replayed\n";
  return files > 0 ? 0 : 1;  // a replay of nothing proves nothing
}

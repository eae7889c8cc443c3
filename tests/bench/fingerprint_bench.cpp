// Speed of the fingerprint beside that of reading the same memory once: bench_fingerprint [MiB] [rounds].
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "repro/snapshot/fingerprint.h"

namespace {

using namespace repro;

// What one thread can read: a sum of 64-bit words that the compiler vectorises.
std::uint64_t read_all(std::span<const std::uint64_t> words) {
  std::uint64_t sums[8] = {};
  for (std::size_t i = 0; i + 8 <= words.size(); i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += words[i + lane];
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t part : sums) sum += part;
  return sum;
}

template <class Function>
double gigabytes_per_second(std::size_t bytes, Function f) {
  const auto start = std::chrono::steady_clock::now();
  const volatile std::uint64_t result = f();
  static_cast<void>(result);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return static_cast<double>(bytes) / seconds.count() / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t mib = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 256;
  const std::size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 9;
  Tensor tensor(DType::uint64, {static_cast<std::int64_t>(mib << 17)});
  std::uint64_t next = 1;
  for (std::uint64_t& word : tensor.values<std::uint64_t>()) word = next *= 6364136223846793005U;
  std::vector<double> read, one, two;
  for (std::size_t round = 0; round < rounds; ++round) {  // in turn: noise hits all alike
    read.push_back(gigabytes_per_second(tensor.storage.size(),
                                        [&] { return read_all(tensor.values<std::uint64_t>()); }));
    one.push_back(gigabytes_per_second(tensor.storage.size(), [&] { return fingerprint(tensor.view()); }));
    two.push_back(gigabytes_per_second(tensor.storage.size(), [&] { return fingerprint(tensor.view(), 2); }));
  }
  const auto median = [](std::vector<double>& values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  };
  std::printf("%zu MiB, median of %zu: read %.1f GB/s, fingerprint %.1f GB/s, with two threads %.1f GB/s\n",
              mib, rounds, median(read), median(one), median(two));
}

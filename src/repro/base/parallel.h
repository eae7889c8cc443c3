#pragma once

#include <cstdint>
#include <functional>

namespace repro {

// Calls work(i) once for each i in [0, count), on up to `threads` threads (the caller's is one of them), in
// about increasing order. Returns when all are done. If a call throws, no new ones begin, and the exception
// of the lowest i that threw is thrown here. Threads are not kept: meant for pieces of a millisecond or more.
void parallel_for(std::uint64_t count, unsigned threads, const std::function<void(std::uint64_t)>& work);

}  // namespace repro

#pragma once

#include <string>

namespace repro {

// A device as a run uses it.
struct ResolvedDevice {
  std::string device;  // "cpu", "cuda:K"
  std::string name;    // "NVIDIA H200"; "" for the CPU
  std::string reason;  // device "auto" that became the CPU: why ("no GPU found"); else ""
};

// Resolves "auto", "cpu", "cuda" or "cuda:K". For a GPU it loads librepro_cuda.so, which brings in
// libtorch_cuda, from beside the program or from ../../lib/repro-train (installed); it must be the first
// thing that touches LibTorch's CUDA side. "auto" without a usable GPU is the CPU with the reason; an
// explicit device is never replaced: Error{unavailable} names what is missing (driver, driver version,
// plugin, CUDA libraries, device).
ResolvedDevice resolve_device(const std::string& asked);

}  // namespace repro

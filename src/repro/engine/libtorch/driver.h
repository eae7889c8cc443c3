#pragma once

#include <string>
#include <vector>

namespace repro {

// What the NVIDIA driver says through its own library, without the CUDA runtime and without LibTorch.
struct DriverFacts {
  std::string problem;               // why no GPU can be used, "no GPU found" …; "" if one can
  std::string detail;                // what makes us say so, or ""
  int version = 0;                   // 13000 for CUDA 13.0; 0 unknown
  std::vector<std::string> devices;  // names, by number
};

// Loads libcuda.so.1 and asks it. `needed_version`: the lowest CUDA version that our libraries run on.
DriverFacts ask_driver(int needed_version);

}  // namespace repro

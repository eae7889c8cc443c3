#include <algorithm>
#include <array>

#include "repro/environment/system_text.h"

namespace repro {
namespace {

constexpr std::array prefixes = std::to_array<std::string_view>(
    {"ATEN_",     "AT_",    "TORCH_", "TORCHINDUCTOR_", "PYTORCH_",  "CUDA_", "CUBLAS_",
     "CUBLASLT_", "CUDNN_", "CUFFT_", "CUSOLVER_",      "NCCL_",     "OMP_",  "GOMP_",
     "KMP_",      "MKL_",   "DNNL_",  "ONEDNN_",        "OPENBLAS_", "BLIS_", "MALLOC_"});

constexpr std::array names = std::to_array<std::string_view>(
    {"GLIBC_TUNABLES", "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "NVIDIA_TF32_OVERRIDE",
     "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "LRU_CACHE_CAPACITY", "DISABLE_ADDMM_CUDA_LT",
     "GOTO_NUM_THREADS"});

// The libraries read none of that kind; a user's own variable may have a library's prefix.
constexpr std::array secrets =
    std::to_array<std::string_view>({"TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL", "AUTH", "COOKIE"});

}  // namespace

bool is_reported_variable(std::string_view name) {
  const auto holds = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (std::any_of(secrets.begin(), secrets.end(), holds)) return false;
  return std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::map<std::string, std::string> reported_variables(const char* const* environment) {
  std::map<std::string, std::string> out;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::size_t at = entry.find('=');
    if (at == std::string_view::npos) continue;
    const std::string_view name = entry.substr(0, at);
    // The first entry counts, as for getenv(); emplace keeps it.
    if (is_reported_variable(name)) out.emplace(name, entry.substr(at + 1));
  }
  return out;
}

}  // namespace repro

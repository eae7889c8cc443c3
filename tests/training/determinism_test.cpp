#include "repro/engine/libtorch/determinism.h"

#include <ATen/Context.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

namespace repro {
namespace {

std::string value_of(const std::vector<SettingValue>& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &SettingValue::name);
  return found == settings.end() ? "absent" : found->value;
}

// Every value another than the defaults of LibTorch and of the group "deterministic".
DeterminismSpec all_changed() {
  DeterminismSpec spec;
  spec.fill_uninitialized = false;
  spec.cudnn = false;
  spec.cudnn_benchmark = true;
  spec.cudnn_benchmark_limit = 3;
  spec.mkldnn = false;
  spec.nnpack = false;
  spec.tf32 = true;
  spec.fp16_accumulation = true;
  spec.sdp_flash = spec.sdp_memory_efficient = spec.sdp_math = spec.sdp_cudnn = false;
  spec.flush_denormal = true;
  return spec;
}

TEST_CASE("the guard applies every setting and reads it back") {
  const DeterminismGuard guard(all_changed());
  CHECK(guard.unmet().empty());
  CHECK(at::globalContext().deterministicAlgorithms());
  CHECK_FALSE(at::globalContext().userEnabledMkldnn());
  CHECK(at::globalContext().benchmarkLimitCuDNN() == 3);
  CHECK(value_of(guard.before(), "algorithms") == "off");
  CHECK(value_of(guard.in_force(), "algorithms") == "on");
  CHECK(value_of(guard.before(), "tf32") == "conv rnn");
  CHECK(value_of(guard.in_force(), "tf32") == "on");
  CHECK(value_of(guard.in_force(), "cuda_precision") == "conv:tf32 rnn:tf32 matmul:tf32");
  CHECK(value_of(guard.in_force(), "flush_denormal") == "on");
  // Each setting that was asked otherwise than it was differs in force: none is read from a constant.
  for (const char* name :
       {"algorithms", "fill_uninitialized", "cudnn", "cudnn_benchmark", "mkldnn", "nnpack", "tf32",
        "fp16_reduction", "bf16_reduction", "fp16_accumulation", "sdp_flash", "sdp_math", "flush_denormal",
        "cudnn_deterministic", "mkldnn_deterministic", "cudnn_benchmark_limit"}) {
    INFO(name);
    CHECK(value_of(guard.before(), name) != value_of(guard.in_force(), name));
  }
}

TEST_CASE("the guard restores everything, also through an exception and nested") {
  const auto before = read_settings();
  {
    const DeterminismGuard outer(all_changed());
    const auto outer_settings = read_settings();
    CHECK(outer_settings != before);
    {
      const DeterminismGuard inner(DeterminismSpec{});
      CHECK(read_settings() != outer_settings);
    }
    CHECK(read_settings() == outer_settings);
  }
  CHECK(read_settings() == before);
  try {
    const DeterminismGuard guard(DeterminismSpec{});
    throw std::runtime_error("training failed");
  } catch (const std::runtime_error&) {
  }
  CHECK(read_settings() == before);
}

TEST_CASE("without a policy LibTorch stays as it comes, and changes made meanwhile are undone") {
  const auto before = read_settings();
  {
    const DeterminismGuard guard(std::nullopt);
    CHECK(read_settings() == before);
    at::globalContext().setDeterministicAlgorithms(true, true);
    CHECK(value_of(read_settings(), "algorithms") == "warn");
  }
  CHECK(read_settings() == before);
}

}  // namespace
}  // namespace repro

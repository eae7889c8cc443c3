#include "repro/engine/libtorch/determinism.h"

#include <ATen/Context.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string_view>

namespace repro {
namespace {

using at::Float32Backend;
using at::Float32Op;
using at::Float32Precision;

struct Knob {
  std::string name;
  std::function<std::string()> get;
  std::function<void(const std::string&)> set;  // empty: read only
};

std::string text(bool value) { return value ? "on" : "off"; }

Knob flag(std::string name, bool (at::Context::*get)() const, void (at::Context::*set)(bool)) {
  return {std::move(name), [get] { return text((at::globalContext().*get)()); },
          [set](const std::string& value) { (at::globalContext().*set)(value == "on"); }};
}

// Warn-only is a third state of the same switch.
Knob algorithms() {
  return {"algorithms",
          [] {
            const at::Context& context = at::globalContext();
            if (!context.deterministicAlgorithms()) return std::string("off");
            return std::string(context.deterministicAlgorithmsWarnOnly() ? "warn" : "on");
          },
          [](const std::string& value) {
            at::globalContext().setDeterministicAlgorithms(value != "off", value == "warn");
          }};
}

Knob benchmark_limit() {
  return {"cudnn_benchmark_limit", [] { return std::to_string(at::globalContext().benchmarkLimitCuDNN()); },
          [](const std::string& value) {
            int limit = 0;
            std::from_chars(value.data(), value.data() + value.size(), limit);
            at::globalContext().setBenchmarkLimitCuDNN(limit);
          }};
}

constexpr std::array<std::pair<std::string_view, at::CuBLASReductionOption>, 3> reductions = {{
    {"on", at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK},
    {"splitk", at::CuBLASReductionOption::DisallowReducedPrecisionAllowSplitK},
    {"off", at::CuBLASReductionOption::DisallowReducedPrecisionDisallowSplitK},
}};

Knob reduction(std::string name, at::CuBLASReductionOption (at::Context::*get)() const,
               void (at::Context::*set)(bool, bool)) {
  return {std::move(name),
          [get] {
            const auto value = (at::globalContext().*get)();
            const auto found = std::ranges::find(reductions, value, [](auto& r) { return r.second; });
            return std::string(found->first);
          },
          [set](const std::string& value) { (at::globalContext().*set)(value == "on", value != "off"); }};
}

// The float32 precisions of one backend as one value: "conv:tf32 rnn:tf32 matmul:none". The legacy mirrors
// for CUDA are written first, because writing them overwrites the table.
constexpr std::array<std::pair<std::string_view, Float32Op>, 3> precision_operations = {
    {{"conv", Float32Op::CONV}, {"rnn", Float32Op::RNN}, {"matmul", Float32Op::MATMUL}}};

std::string read_precision(Float32Backend backend) {
  std::string out;
  for (const auto& [name, operation] : precision_operations) {
    if (!out.empty()) out += ' ';
    out +=
        std::string(name) + ':' + at::precision2str(at::globalContext().float32Precision(backend, operation));
  }
  return out;
}

void write_precision(Float32Backend backend, const std::string& value) {
  at::Context& context = at::globalContext();
  if (backend == Float32Backend::CUDA) {
    context.setAllowTF32CuBLAS(value.find("matmul:tf32") != std::string::npos);
    context.setAllowTF32CuDNN(value.find("conv:tf32") != std::string::npos);
  }
  std::istringstream parts(value);
  for (std::string part; parts >> part;) {
    const std::size_t colon = part.find(':');
    const auto found =
        std::ranges::find(precision_operations, part.substr(0, colon), [](auto& p) { return p.first; });
    context.setFloat32Precision(backend, found->second, at::str2precision(part.substr(colon + 1)));
  }
}

// Which CUDA operations may use TF32: "off", "on" for all, or their names. Only "off" and "on" can be set;
// what lies between is restored through "cuda_precision".
Knob tf32() {
  return {"tf32",
          [] {
            std::string allowed;
            std::size_t count = 0;
            for (const auto& [name, operation] : precision_operations) {
              if (at::globalContext().float32Precision(Float32Backend::CUDA, operation) !=
                  Float32Precision::TF32) {
                continue;
              }
              allowed += (count++ == 0 ? "" : " ") + std::string(name);
            }
            return count == 0 ? "off" : count == precision_operations.size() ? "on" : allowed;
          },
          [](const std::string& value) {
            if (value == "on") write_precision(Float32Backend::CUDA, "conv:tf32 rnn:tf32 matmul:tf32");
            if (value == "off") write_precision(Float32Backend::CUDA, "conv:ieee rnn:ieee matmul:ieee");
          }};
}

Knob precision(std::string name, Float32Backend backend) {
  return {std::move(name), [backend] { return read_precision(backend); },
          [backend](const std::string& value) { write_precision(backend, value); }};
}

// The context has no getter for it: the calling thread's control register is the truth. Threads that are
// started later inherit it.
Knob flush_denormal() {
  constexpr unsigned flush_to_zero = 0x8000;
  return {"flush_denormal", [] { return text((_mm_getcsr() & flush_to_zero) != 0); },
          [](const std::string& value) { at::Context::setFlushDenormal(value == "on"); }};
}

// Read when the first cuBLAS handle is made, so it belongs to the start of the process.
Knob cublas_workspace() {
  return {"cublas_workspace",
          [] {
            const char* value = std::getenv("CUBLAS_WORKSPACE_CONFIG");
            return std::string(value == nullptr ? "unset" : value);
          },
          nullptr};
}

std::vector<Knob> all_knobs() {
  using C = at::Context;
  return {algorithms(),
          flag("fill_uninitialized", &C::deterministicFillUninitializedMemory,
               &C::setDeterministicFillUninitializedMemory),
          flag("cudnn", &C::userEnabledCuDNN, &C::setUserEnabledCuDNN),
          flag("cudnn_deterministic", &C::deterministicCuDNN, &C::setDeterministicCuDNN),
          flag("cudnn_benchmark", &C::benchmarkCuDNN, &C::setBenchmarkCuDNN),
          benchmark_limit(),
          flag("mkldnn", &C::userEnabledMkldnn, &C::setUserEnabledMkldnn),
          flag("mkldnn_deterministic", &C::deterministicMkldnn, &C::setDeterministicMkldnn),
          flag("nnpack", &C::userEnabledNNPACK, &C::setUserEnabledNNPACK),
          tf32(),
          precision("cuda_precision", Float32Backend::CUDA),
          precision("mkldnn_precision", Float32Backend::MKLDNN),
          reduction("fp16_reduction", &C::allowFP16ReductionCuBLAS, &C::setAllowFP16ReductionCuBLAS),
          reduction("bf16_reduction", &C::allowBF16ReductionCuBLAS, &C::setAllowBF16ReductionCuBLAS),
          flag("fp16_accumulation", &C::allowFP16AccumulationCuBLAS, &C::setAllowFP16AccumulationCuBLAS),
          flag("sdp_flash", &C::userEnabledFlashSDP, &C::setSDPUseFlash),
          flag("sdp_memory_efficient", &C::userEnabledMemEfficientSDP, &C::setSDPUseMemEfficient),
          flag("sdp_math", &C::userEnabledMathSDP, &C::setSDPUseMath),
          flag("sdp_cudnn", &C::userEnabledCuDNNSDP, &C::setSDPUseCuDNN),
          flag("sdp_overrideable", &C::userEnabledOverrideableSDP, &C::setSDPUseOverrideable),
          flag("sdp_fa3", &C::userEnabledFA3SDP, &C::setSDPUseFA3),
          flag("sdp_math_reduction", &C::allowFP16BF16ReductionMathSDP, &C::setAllowFP16BF16ReductionMathSDP),
          flush_denormal(),
          cublas_workspace()};
}

std::vector<SettingValue> wanted(const DeterminismSpec& spec, bool warn_only) {
  return {{"algorithms", spec.algorithms && warn_only ? "warn" : text(spec.algorithms)},
          {"fill_uninitialized", text(spec.fill_uninitialized)},
          {"cudnn", text(spec.cudnn)},
          {"cudnn_deterministic", text(spec.cudnn_deterministic)},
          {"cudnn_benchmark", text(spec.cudnn_benchmark)},
          {"cudnn_benchmark_limit", std::to_string(spec.cudnn_benchmark_limit)},
          {"mkldnn", text(spec.mkldnn)},
          {"mkldnn_deterministic", text(spec.mkldnn_deterministic)},
          {"nnpack", text(spec.nnpack)},
          {"tf32", text(spec.tf32)},
          {"fp16_reduction", text(spec.fp16_reduction)},
          {"bf16_reduction", text(spec.bf16_reduction)},
          {"fp16_accumulation", text(spec.fp16_accumulation)},
          {"sdp_flash", text(spec.sdp_flash)},
          {"sdp_memory_efficient", text(spec.sdp_memory_efficient)},
          {"sdp_math", text(spec.sdp_math)},
          {"sdp_cudnn", text(spec.sdp_cudnn)},
          {"flush_denormal", text(spec.flush_denormal)}};
}

// Writes only what differs, so that setters with side effects (warnings) are left alone.
void apply(const std::vector<SettingValue>& values) {
  const std::vector<Knob> knobs = all_knobs();
  for (const SettingValue& value : values) {
    const auto knob = std::ranges::find(knobs, value.name, &Knob::name);
    if (knob != knobs.end() && knob->set && knob->get() != value.value) knob->set(value.value);
  }
}

}  // namespace

std::vector<SettingValue> read_settings() {
  std::vector<SettingValue> out;
  for (const Knob& knob : all_knobs()) out.push_back({knob.name, knob.get()});
  return out;
}

DeterminismGuard::DeterminismGuard(const std::optional<DeterminismSpec>& asked, bool warn_only)
    : before_(read_settings()) {
  if (asked) asked_ = wanted(*asked, warn_only);
  try {
    apply(asked_);
  } catch (...) {
    apply(before_);
    throw;
  }
  in_force_ = read_settings();
}

DeterminismGuard::~DeterminismGuard() {
  try {
    apply(before_);
  } catch (...) {  // only an impossible combination throws; the caller reads back and sees it
  }
}

std::vector<std::string> DeterminismGuard::unmet() const {
  std::vector<std::string> out;
  for (const SettingValue& value : asked_) {
    const auto found = std::ranges::find(in_force_, value.name, &SettingValue::name);
    if (found == in_force_.end() || found->value != value.value) {
      out.push_back(value.name + ": asked " + value.value + ", in force " +
                    (found == in_force_.end() ? "unknown" : found->value));
    }
  }
  return out;
}

}  // namespace repro

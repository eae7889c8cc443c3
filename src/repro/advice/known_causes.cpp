#include "repro/advice/known_causes.h"

#include <array>

namespace repro {
namespace {

// Sources; docs/causes.md says where they are.
constexpr std::string_view algorithms_page = "PyTorch 2.11, torch.use_deterministic_algorithms";
constexpr std::string_view randomness_page = "PyTorch 2.11, Reproducibility";
constexpr std::string_view cudnn_page = "cuDNN, Odds and Ends: Reproducibility";
constexpr std::string_view cublas_page = "cuBLAS, Results Reproducibility";
constexpr std::string_view conv_source = "PyTorch source, cudnn/Conv_v8.cpp";
constexpr std::string_view conv_shared_source = "PyTorch source, cudnn/ConvShared.cpp";
constexpr std::string_view pool_source = "PyTorch source, cuda/DilatedMaxPool2d.cu";
constexpr std::string_view reduce_source = "PyTorch source, cuda/Reduce.cuh";
constexpr std::string_view context_source = "PyTorch source, ATen/Context.h";
constexpr std::string_view measured = "measured: tests/training/causes_test.cpp";
constexpr std::string_view by_definition = "by definition";

constexpr std::string_view thread_order = "adds in an order that depends on threads";
constexpr std::string_view algorithms_help = "with \"algorithms\": true it is deterministic";
constexpr std::string_view threads_help = "with \"algorithms\": true, or one thread, it is deterministic";
constexpr std::string_view cudnn_help =
    "with \"algorithms\": true or \"cudnn_deterministic\": true it is deterministic";
constexpr std::string_view benchmark_cause =
    "cuDNN times its algorithms in each process, and another may win";
constexpr std::string_view benchmark_help = "set \"cudnn_benchmark\": false and \"algorithms\": true";
constexpr std::string_view listed = "is on PyTorch's list of such operations";
constexpr std::string_view replace_it = "replace it, as \"algorithms\": true makes it fail";
constexpr std::string_view no_alternative = "has only an algorithm that is not deterministic";

constexpr auto causes = std::to_array<KnownCause>({
    {"aten::_index_put_impl_", "cpu", Condition::threads_without_algorithms, thread_order, threads_help,
     measured, Knowledge::deterministic},
    {"aten::index_put*", "cpu", Condition::threads_without_algorithms,
     "adds or overwrites in an order that depends on threads", algorithms_help, algorithms_page,
     Knowledge::deterministic},

    {"aten::conv2d", "cuda", Condition::cudnn_benchmark, benchmark_cause, benchmark_help, randomness_page,
     Knowledge::deterministic},
    {"aten::conv_transpose2d", "cuda", Condition::cudnn_benchmark, benchmark_cause, benchmark_help,
     randomness_page, Knowledge::deterministic},
    {"aten::convolution", "cuda", Condition::cudnn_benchmark, benchmark_cause, benchmark_help,
     randomness_page, Knowledge::deterministic},
    {"aten::convolution_backward", "cuda", Condition::cudnn_benchmark, benchmark_cause, benchmark_help,
     randomness_page, Knowledge::deterministic},
    {"aten::conv2d", "cuda", Condition::cudnn_free, "cuDNN may choose an algorithm that is not deterministic",
     cudnn_help, algorithms_page, Knowledge::deterministic},
    {"aten::conv_transpose2d", "cuda", Condition::cudnn_free,
     "its forward pass is a backward pass of cuDNN, which may add atomically", cudnn_help, conv_shared_source,
     Knowledge::deterministic},
    {"aten::convolution_backward", "cuda", Condition::cudnn_free,
     "cuDNN may choose an algorithm that adds atomically", cudnn_help, cudnn_page, Knowledge::deterministic},
    {"aten::convolution", "cuda", Condition::cudnn_free,
     "cuDNN may choose an algorithm that is not deterministic", cudnn_help, algorithms_page,
     Knowledge::deterministic},

    {"aten::index_add*", "cuda", Condition::without_algorithms, listed, algorithms_help, algorithms_page,
     Knowledge::deterministic},
    {"aten::scatter_add*", "cuda", Condition::without_algorithms, listed, algorithms_help, algorithms_page,
     Knowledge::deterministic},
    {"aten::replication_pad2d_backward", "cuda", Condition::without_algorithms,
     "is on PyTorch's list of such operations", algorithms_help, algorithms_page, Knowledge::deterministic},
    {"aten::upsample_bilinear2d_backward", "cuda", Condition::without_algorithms, no_alternative,
     "resize the images before training", algorithms_page, Knowledge::fails},
    {"aten::_adaptive_avg_pool2d_backward", "cuda", Condition::without_algorithms, no_alternative, replace_it,
     algorithms_page, Knowledge::fails},
    {"aten::max_pool3d_with_indices_backward", "cuda", Condition::without_algorithms, no_alternative,
     replace_it, algorithms_page, Knowledge::fails},
    {"aten::reflection_pad2d_backward", "cuda", Condition::without_algorithms, no_alternative,
     "pad with zeros, or by replication with \"algorithms\": true", algorithms_page, Knowledge::fails},
    {"aten::grid_sampler_2d_backward", "cuda", Condition::without_algorithms, no_alternative, replace_it,
     algorithms_page, Knowledge::fails},
});

constexpr std::string_view rounds_nothing = "copies or selects values, rounds nothing";
constexpr std::string_view elementwise = "computes each element by itself, adds across none";
constexpr std::string_view same_threads = "repeats bit for bit with the same number of threads";
constexpr std::string_view no_atomics = "reads per pixel, without atomic additions";
constexpr std::string_view one_stream = "cuBLAS repeats bit for bit on one stream";
constexpr std::string_view fixed_order = "blocks are added in a fixed order";
constexpr std::string_view filtered = "cuDNN's other algorithms are left out";

constexpr auto deterministic = std::to_array<KnownDeterministic>({
    {"aten::clamp", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::constant_pad_nd", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::flatten", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::hardtanh*", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::index", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::relu", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::reshape", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::threshold_backward", "any", Condition::always, rounds_nothing, by_definition},
    {"aten::mul", "any", Condition::always, elementwise, by_definition},
    {"aten::round", "any", Condition::always, elementwise, by_definition},
    {"aten::mse_loss_backward", "any", Condition::always, elementwise, by_definition},
    {"aten::_foreach_add_", "any", Condition::always, elementwise, by_definition},
    {"aten::_fused_adam_", "any", Condition::always, elementwise, by_definition},

    {"aten::_index_put_impl_", "cpu", Condition::one_thread, "one thread adds in order", measured},
    {"aten::conv2d", "cpu", Condition::always, same_threads, measured},
    {"aten::conv_transpose2d", "cpu", Condition::always, same_threads, measured},
    {"aten::convolution_backward", "cpu", Condition::always, same_threads, measured},
    {"aten::linear", "cpu", Condition::always, same_threads, measured},
    {"aten::max_pool2d*", "cpu", Condition::always, same_threads, measured},
    {"aten::mm", "cpu", Condition::always, same_threads, measured},
    {"aten::mse_loss", "cpu", Condition::always, same_threads, measured},
    {"aten::sum", "cpu", Condition::always, same_threads, measured},

    {"aten::conv2d", "cuda", Condition::cudnn_deterministic, filtered, conv_source},
    {"aten::conv_transpose2d", "cuda", Condition::cudnn_deterministic, filtered, conv_source},
    {"aten::convolution", "cuda", Condition::cudnn_deterministic, filtered, conv_source},
    {"aten::convolution_backward", "cuda", Condition::cudnn_deterministic, filtered, conv_source},
    {"aten::linear", "cuda", Condition::always, one_stream, cublas_page},
    {"aten::max_pool2d*", "cuda", Condition::always, no_atomics, pool_source},
    {"aten::mm", "cuda", Condition::always, one_stream, cublas_page},
    {"aten::mse_loss", "cuda", Condition::always, fixed_order, reduce_source},
    {"aten::sum", "cuda", Condition::always, fixed_order, reduce_source},
});

constexpr auto caveats = std::to_array<KnownCaveat>({
    {"cpu", Condition::always, "another number of threads gives other weights", "fix \"threads\"", measured},
    {"cuda", Condition::always, "a GPU of another architecture may give other weights",
     "compare runs of one kind of GPU", cudnn_page},
    {"cuda", Condition::always, "with little free memory cuDNN may fall back to another algorithm",
     "keep other programs off the GPU", conv_source},
    {"cuda", Condition::tf32, "TF32 is on: convolutions round their inputs to 10 bits of mantissa",
     "set \"tf32\": false", context_source},
});

bool on_device(std::string_view entry, std::string_view device) {
  const bool cuda = device == "cuda" || device.starts_with("cuda:");
  if (!cuda && device != "cpu") return false;
  return entry == "any" || entry == (cuda ? "cuda" : "cpu");
}

bool matches(std::string_view pattern, std::string_view operation) {
  if (pattern.ends_with('*')) return operation.starts_with(pattern.substr(0, pattern.size() - 1));
  return operation.substr(0, operation.find('.')) == pattern;
}

}  // namespace

std::string_view name_of(Knowledge value) {
  switch (value) {
    case Knowledge::deterministic: return "deterministic";
    case Knowledge::nondeterministic: return "not deterministic";
    case Knowledge::fails: return "fails";
    case Knowledge::unknown: return "unknown";
  }
  return {};
}

std::string_view name_of(Condition value) {
  switch (value) {
    case Condition::always: return "always";
    case Condition::one_thread: return "one thread";
    case Condition::threads_without_algorithms: return "more than one thread, algorithms off";
    case Condition::without_algorithms: return "algorithms off";
    case Condition::cudnn_benchmark: return "cudnn_benchmark on";
    case Condition::cudnn_free: return "algorithms, cudnn_deterministic and cudnn_benchmark off";
    case Condition::cudnn_deterministic: return "cudnn_deterministic on, cudnn_benchmark off";
    case Condition::tf32: return "tf32 on";
  }
  return {};
}

bool holds(Condition condition, const Circumstances& c) {
  switch (condition) {
    case Condition::always: return true;
    case Condition::one_thread: return c.threads == 1;
    case Condition::threads_without_algorithms: return c.threads > 1 && !c.algorithms;
    case Condition::without_algorithms: return !c.algorithms;
    case Condition::cudnn_benchmark: return c.cudnn && c.cudnn_benchmark;
    case Condition::cudnn_free:
      return c.cudnn && !c.algorithms && !c.cudnn_deterministic && !c.cudnn_benchmark;
    case Condition::cudnn_deterministic: return c.cudnn && c.cudnn_deterministic && !c.cudnn_benchmark;
    case Condition::tf32: return c.tf32;
  }
  return false;
}

Circumstances default_circumstances(std::string device, std::int64_t threads) {
  Circumstances out;
  out.device = std::move(device);
  out.threads = threads;
  return out;
}

Circumstances asked_circumstances(const DeterminismSpec& spec, std::string device, std::int64_t threads) {
  return {.device = std::move(device),
          .algorithms = spec.algorithms,
          .cudnn = spec.cudnn,
          .cudnn_deterministic = spec.cudnn_deterministic,
          .cudnn_benchmark = spec.cudnn_benchmark,
          .tf32 = spec.tf32,
          .threads = threads};
}

std::span<const KnownCause> known_causes() { return causes; }
std::span<const KnownDeterministic> known_deterministic() { return deterministic; }
std::span<const KnownCaveat> known_caveats() { return caveats; }

const KnownCause* find_cause(std::string_view operation, const Circumstances& circumstances) {
  for (const KnownCause& entry : causes) {
    if (matches(entry.operation, operation) && on_device(entry.device, circumstances.device) &&
        holds(entry.condition, circumstances)) {
      return &entry;
    }
  }
  return nullptr;
}

Known known_of(std::string_view operation, const Circumstances& circumstances) {
  if (const KnownCause* cause = find_cause(operation, circumstances)) {
    return {Knowledge::nondeterministic, cause};
  }
  const auto concerns = [&](const auto& entry) {
    return matches(entry.operation, operation) && on_device(entry.device, circumstances.device);
  };
  for (const KnownCause& entry : causes) {
    if (!circumstances.algorithms || !concerns(entry)) continue;
    return {entry.with_algorithms, entry.with_algorithms == Knowledge::fails ? &entry : nullptr};
  }
  for (const KnownDeterministic& entry : deterministic) {
    if (concerns(entry) && holds(entry.condition, circumstances)) return {Knowledge::deterministic};
  }
  return {};
}

bool applies(const KnownCaveat& caveat, const Circumstances& circumstances) {
  return on_device(caveat.device, circumstances.device) && holds(caveat.condition, circumstances);
}

}  // namespace repro

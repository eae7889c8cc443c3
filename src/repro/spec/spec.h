#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace repro {

// What was asked, complete and validated. Every value is the one in force: defaults are filled in
// by the decoder (spec/decode.h). Enumerators are spelled as in JSON.

enum class DataType { digits, idx };
enum class NoiseType { salt_and_pepper };
enum class ResizeMethod { bicubic };
enum class Scale { per_image };
enum class Normalization { zerocenter };
enum class LayerType { conv2d, conv_transpose2d, max_pool2d, relu, clipped_relu, linear, flatten, lookup };
enum class Initializer { glorot_uniform };
enum class LossType { half_mse };
enum class OptimizerType { adam };
enum class LastBatch { drop, keep };
enum class Shuffle { once, every_epoch, never };
enum class EngineType { libtorch };
enum class MemoryFormat { automatic, contiguous, channels_last };  // "auto", ...
enum class DeterminismMode { on, off, both, warn };
enum class Isolation { process, shared };

struct SplitSpec {  // fractions in [0, 1] that add up to 1
  double train = 0.95;
  double validation = 0.025;
  double test = 0.025;
  bool operator==(const SplitSpec&) const = default;
};

struct DataSpec {
  DataType type = DataType::digits;
  std::int64_t count = 10000;         // digits
  std::uint32_t seed = 0;             // digits
  std::string images;                 // idx: as written in the spec, relative to the spec's folder
  std::string labels;                 // idx
  std::optional<std::int64_t> limit;  // idx: the first `limit` images only
  SplitSpec split;
  bool operator==(const DataSpec&) const = default;
};

struct NoiseSpec {
  NoiseType type = NoiseType::salt_and_pepper;
  double density = 0.05;  // [0, 1]
  bool operator==(const NoiseSpec&) const = default;
};
struct ResizeSpec {
  std::array<std::int64_t, 2> size = {32, 32};  // rows, columns
  ResizeMethod method = ResizeMethod::bicubic;
  bool operator==(const ResizeSpec&) const = default;
};
struct InputSpec {  // absent parts are not done
  std::optional<NoiseSpec> noise;
  std::optional<ResizeSpec> resize;
  std::optional<Scale> scale;
  bool rotate_90 = false;
  std::optional<Normalization> normalization;
  bool operator==(const InputSpec&) const = default;
};

// Rows and columns of zeros around an image; "same" keeps rows and columns at stride 1 (ceil(size /
// stride) otherwise).
struct Padding {
  bool same = false;
  std::int64_t amount = 0;
  bool operator==(const Padding&) const = default;
};

// One layer; only the members of its type have a meaning, the others keep their defaults.
struct LayerSpec {
  LayerType type = LayerType::relu;
  std::string name;          // never empty after decoding: given, or "<type>_<number>"
  std::int64_t filters = 0;  // conv2d, conv_transpose2d
  std::int64_t kernel = 0;   // conv2d, conv_transpose2d, max_pool2d (square)
  std::int64_t stride = 1;   // conv2d 1; conv_transpose2d and max_pool2d: the kernel
  Padding padding;           // conv2d, conv_transpose2d, max_pool2d
  double ceiling = 1;        // clipped_relu, > 0
  std::int64_t units = 0;    // linear
  std::int64_t entries = 0;  // lookup: rows of the table, >= 2
  std::int64_t width = 0;    // lookup: columns of the table
  bool operator==(const LayerSpec&) const = default;
};

struct ModelSpec {
  Initializer initializer = Initializer::glorot_uniform;
  std::vector<LayerSpec> layers;
  bool operator==(const ModelSpec&) const = default;
};

struct LossSpec {
  LossType type = LossType::half_mse;
  bool operator==(const LossSpec&) const = default;
};

struct OptimizerSpec {
  OptimizerType type = OptimizerType::adam;
  double learning_rate = 0.001;  // > 0
  double beta1 = 0.9;            // [0, 1)
  double beta2 = 0.999;          // [0, 1)
  double epsilon = 1e-8;         // > 0
  double l2 = 1e-4;              // >= 0, on weights only
  bool operator==(const OptimizerSpec&) const = default;
};

struct TrainingSpec {
  std::int64_t epochs = 0;      // >= 0
  std::int64_t batch_size = 0;  // >= 1
  LastBatch last_batch = LastBatch::drop;
  Shuffle shuffle = Shuffle::once;
  std::int64_t validation_every = 50;                   // steps; 0 = only at the end
  std::optional<std::int64_t> validation_patience = 5;  // null = never stop early
  bool operator==(const TrainingSpec&) const = default;
};

struct SeedSpec {
  std::uint32_t cpu = 0;
  std::uint32_t gpu = 0;
  std::uint32_t data = 0;
  bool operator==(const SeedSpec&) const = default;
};

// Everything of at::Context that can change bits (libtorch 2.11). The defaults are what the group
// "deterministic" applies.
struct DeterminismSpec {
  bool algorithms = true;
  bool fill_uninitialized = false;
  bool cudnn = true;
  bool cudnn_deterministic = true;
  bool cudnn_benchmark = false;
  std::int64_t cudnn_benchmark_limit = 10;
  bool mkldnn = true;
  bool mkldnn_deterministic = true;
  bool nnpack = true;
  bool tf32 = false;
  bool fp16_reduction = false;
  bool bf16_reduction = false;
  bool fp16_accumulation = false;
  bool sdp_flash = true;
  bool sdp_memory_efficient = true;
  bool sdp_math = true;
  bool sdp_cudnn = true;
  bool flush_denormal = false;
  std::string cublas_workspace = ":4096:8";  // ":4096:8" or ":16:8"
  bool operator==(const DeterminismSpec&) const = default;
};

struct ExecutionSpec {
  EngineType engine = EngineType::libtorch;
  std::string device = "auto";  // "auto", "cpu", "cuda", "cuda:K"
  std::int64_t threads = 0;     // 0 = the cores that this process may use
  MemoryFormat memory_format = MemoryFormat::automatic;
  DeterminismSpec determinism;
  bool operator==(const ExecutionSpec&) const = default;
};

struct AuditSpec {
  std::int64_t runs = 2;  // [2, 10000]
  DeterminismMode determinism = DeterminismMode::on;
  Isolation isolation = Isolation::process;
  std::string compare = "bitwise";  // parsed by compare/rule.h
  bool operator==(const AuditSpec&) const = default;
};

struct Spec {
  std::string name;
  DataSpec data;
  InputSpec input;
  ModelSpec model;
  LossSpec loss;
  OptimizerSpec optimizer;
  TrainingSpec training;
  SeedSpec seed;
  ExecutionSpec execution;
  AuditSpec audit;
  bool operator==(const Spec&) const = default;
};

}  // namespace repro

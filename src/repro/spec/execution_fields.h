#pragma once

#include "repro/spec/field.h"
#include "repro/spec/layer_fields.h"
#include "repro/spec/spec.h"
#include "repro/spec/text_rules.h"

namespace repro {

// The keys of "execution"; see fields.h. Meanings as in LibTorch's at::Context.

template <SpecOf<DeterminismSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "algorithms", .help = "Only deterministic algorithms; an operation without one fails."},
    s.algorithms);
  v(Field{.key = "fill_uninitialized",
          .help = "Fills new memory with a fixed value. Costs time and hides "
                  "reads of uninitialised memory."},
    s.fill_uninitialized);
  v(Field{.key = "cudnn", .help = "Uses cuDNN on a GPU."}, s.cudnn);
  v(Field{.key = "cudnn_deterministic", .help = "Only deterministic cuDNN algorithms."},
    s.cudnn_deterministic);
  v(Field{.key = "cudnn_benchmark",
          .help = "Lets cuDNN choose algorithms by their measured time; "
                  "contradicts `algorithms` and `cudnn_deterministic`."},
    s.cudnn_benchmark);
  v(Field{.key = "cudnn_benchmark_limit",
          .help = "How many algorithms are measured; 0: all.",
          .range = from_to(0, 10000)},
    s.cudnn_benchmark_limit);
  v(Field{.key = "mkldnn", .help = "Uses oneDNN on a CPU."}, s.mkldnn);
  v(Field{.key = "mkldnn_deterministic", .help = "Asks oneDNN for deterministic primitives."},
    s.mkldnn_deterministic);
  v(Field{.key = "nnpack", .help = "Uses NNPACK on a CPU."}, s.nnpack);
  v(Field{.key = "tf32", .help = "Allows TensorFloat-32 in matrix products and cuDNN."}, s.tf32);
  v(Field{.key = "fp16_reduction", .help = "Allows cuBLAS to reduce float16 in reduced precision."},
    s.fp16_reduction);
  v(Field{.key = "bf16_reduction", .help = "Allows cuBLAS to reduce bfloat16 in reduced precision."},
    s.bf16_reduction);
  v(Field{.key = "fp16_accumulation", .help = "Allows cuBLAS to accumulate float16 in float16."},
    s.fp16_accumulation);
  v(Field{.key = "sdp_flash", .help = "Allows flash attention."}, s.sdp_flash);
  v(Field{.key = "sdp_memory_efficient", .help = "Allows memory-efficient attention."},
    s.sdp_memory_efficient);
  v(Field{.key = "sdp_math", .help = "Allows attention by plain operations."}, s.sdp_math);
  v(Field{.key = "sdp_cudnn", .help = "Allows cuDNN's attention."}, s.sdp_cudnn);
  v(Field{.key = "flush_denormal", .help = "Treats subnormal numbers as zero on a CPU."}, s.flush_denormal);
  v(Field{.key = "cublas_workspace",
          .help = "`CUBLAS_WORKSPACE_CONFIG`, set before CUDA starts.",
          .rule = &cublas_workspace_rule},
    s.cublas_workspace);
}

template <SpecOf<ExecutionSpec> S, class V>
void visit(S& s, V& v) {
  v(Field{.key = "engine", .help = "Who computes."}, s.engine);
  v(Field{.key = "device",
          .help = "`auto` takes a GPU if there is one; another device is never replaced.",
          .rule = &device_rule},
    s.device);
  v(Field{.key = "threads",
          .help = "CPU threads of a run; 0: the cores that the process may use.",
          .unit = "threads",
          .range = from_to(0, 1024)},
    s.threads);
  v(Field{.key = "memory_format",
          .help = "Order of image dimensions in memory while computing; `auto` "
                  "leaves it to the engine."},
    s.memory_format);
  v(Field{.key = "determinism",
          .help = "What the group `deterministic` applies; the group `default` "
                  "leaves LibTorch as it comes.",
          .default_text = "the defaults below"},
    s.determinism);
}

}  // namespace repro

#include "repro/spec/names.h"

// Switches without default: the compiler names the one that a new enumerator must reach.

namespace repro {

std::string_view name_of(DataType value) {
  switch (value) {
    case DataType::digits: return "digits";
    case DataType::idx: return "idx";
  }
  return {};
}

std::string_view name_of(NoiseType value) {
  switch (value) {
    case NoiseType::salt_and_pepper: return "salt_and_pepper";
  }
  return {};
}

std::string_view name_of(ResizeMethod value) {
  switch (value) {
    case ResizeMethod::bicubic: return "bicubic";
  }
  return {};
}

std::string_view name_of(Scale value) {
  switch (value) {
    case Scale::per_image: return "per_image";
  }
  return {};
}

std::string_view name_of(Normalization value) {
  switch (value) {
    case Normalization::zerocenter: return "zerocenter";
  }
  return {};
}

std::string_view name_of(LayerType value) {
  switch (value) {
    case LayerType::conv2d: return "conv2d";
    case LayerType::conv_transpose2d: return "conv_transpose2d";
    case LayerType::max_pool2d: return "max_pool2d";
    case LayerType::relu: return "relu";
    case LayerType::clipped_relu: return "clipped_relu";
    case LayerType::linear: return "linear";
    case LayerType::flatten: return "flatten";
    case LayerType::lookup: return "lookup";
  }
  return {};
}

std::string_view name_of(Initializer value) {
  switch (value) {
    case Initializer::glorot_uniform: return "glorot_uniform";
  }
  return {};
}

std::string_view name_of(LossType value) {
  switch (value) {
    case LossType::half_mse: return "half_mse";
  }
  return {};
}

std::string_view name_of(OptimizerType value) {
  switch (value) {
    case OptimizerType::adam: return "adam";
  }
  return {};
}

std::string_view name_of(LastBatch value) {
  switch (value) {
    case LastBatch::drop: return "drop";
    case LastBatch::keep: return "keep";
  }
  return {};
}

std::string_view name_of(Shuffle value) {
  switch (value) {
    case Shuffle::once: return "once";
    case Shuffle::every_epoch: return "every_epoch";
    case Shuffle::never: return "never";
  }
  return {};
}

std::string_view name_of(EngineType value) {
  switch (value) {
    case EngineType::libtorch: return "libtorch";
  }
  return {};
}

std::string_view name_of(MemoryFormat value) {
  switch (value) {
    case MemoryFormat::automatic: return "auto";
    case MemoryFormat::contiguous: return "contiguous";
    case MemoryFormat::channels_last: return "channels_last";
  }
  return {};
}

std::string_view name_of(DeterminismMode value) {
  switch (value) {
    case DeterminismMode::on: return "on";
    case DeterminismMode::off: return "off";
    case DeterminismMode::both: return "both";
    case DeterminismMode::warn: return "warn";
  }
  return {};
}

std::string_view name_of(Isolation value) {
  switch (value) {
    case Isolation::process: return "process";
    case Isolation::shared: return "shared";
  }
  return {};
}

}  // namespace repro

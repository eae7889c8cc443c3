#pragma once

#include <optional>

#include "repro/base/files.h"
#include "repro/data/batch.h"
#include "repro/train/engine.h"

namespace repro {

// The loss of the validation part; nothing if it is empty. Predicted in batches of `batch_size`, in
// ascending sample order.
std::optional<float> validation_loss(const Dataset& dataset, Engine& engine, std::int64_t batch_size);

// weights.safetensors: learnables in registration order, then the buffer input.mean.
void write_weights(const fs::path& directory, Engine& engine, const Tensor& mean_image);
// optimizer.safetensors.
void write_optimizer(const fs::path& directory, Engine& engine);
// predictions.safetensors: the test part predicted twice, as predictions.pass1 and .pass2. No file
// without a test part.
void write_predictions(const fs::path& directory, const Dataset& dataset, Engine& engine,
                       std::int64_t batch_size);
// samples.safetensors: up to eight validation (else test) images as samples.input, .output, .target,
// {n, 1, rows, columns}, the input with the mean image added back. No file without such images.
void write_samples(const fs::path& directory, const Dataset& dataset, Engine& engine);

}  // namespace repro

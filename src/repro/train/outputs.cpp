#include "repro/train/outputs.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "repro/snapshot/safetensors.h"

namespace repro {
namespace {

using Visit = std::function<void(const Batch& batch)>;

void visit_part(const Dataset& dataset, Part part, std::int64_t batch_size, const Visit& visit) {
  const std::span<const std::int64_t> samples = dataset.part(part);
  for (std::size_t first = 0; first < samples.size();) {
    const std::size_t count = std::min(static_cast<std::size_t>(batch_size), samples.size() - first);
    visit(dataset.evaluation_batch(samples.subspan(first, count)));
    first += count;
  }
}

// The outputs of the test part in the shape of the targets, one after the other.
Tensor predict_test_part(const Dataset& dataset, Engine& engine, std::int64_t batch_size) {
  Shape shape = dataset.observation_shape();
  shape.insert(shape.begin(), static_cast<std::int64_t>(dataset.part(Part::test).size()));
  Tensor all(DType::float32, shape);
  std::size_t filled = 0;
  visit_part(dataset, Part::test, batch_size, [&](const Batch& batch) {
    const Tensor output = engine.predict(batch.input);
    if (output.storage.size() != batch.target.storage.size()) {
      throw Error(ErrorKind::bug, "a prediction has another size than its target");
    }
    std::memcpy(all.storage.data() + filled, output.storage.data(), output.storage.size());
    filled += output.storage.size();
  });
  return all;
}

// input + mean, per observation.
void add_mean(Tensor& input, const Tensor& mean) {
  if (mean.storage.empty()) return;
  const auto offsets = mean.values<float>();
  const auto pixels = input.values<float>();
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] += offsets[i % offsets.size()];
}

}  // namespace

std::optional<float> validation_loss(const Dataset& dataset, Engine& engine, std::int64_t batch_size) {
  const std::size_t total = dataset.part(Part::validation).size();
  if (total == 0) return std::nullopt;
  double sum = 0;
  visit_part(dataset, Part::validation, batch_size, [&](const Batch& batch) {
    const Tensor output = engine.predict(batch.input);
    sum += static_cast<double>(half_mse(output.view(), batch.target.view())) *
           static_cast<double>(batch.samples.size());
  });
  return static_cast<float>(sum / static_cast<double>(total));
}

void write_weights(const fs::path& directory, Engine& engine, const Tensor& mean_image) {
  std::vector<Bytes> kept;  // engine views live only during their visit
  std::vector<SnapshotEntry> entries;
  engine.visit_learnables([&](std::string_view name, const TensorView& value) {
    kept.emplace_back(value.bytes.begin(), value.bytes.end());
    entries.push_back({std::string(name), Role::learnable, {value.dtype, value.shape, kept.back()}});
  });
  if (!mean_image.storage.empty()) {
    entries.push_back({"input.mean", Role::buffer, mean_image.view()});
  }
  write_safetensors(directory / "weights.safetensors", entries);
}

void write_optimizer(const fs::path& directory, Engine& engine) {
  std::vector<Bytes> kept;
  std::vector<SnapshotEntry> entries;
  engine.visit_optimizer_state([&](std::string_view name, const TensorView& value) {
    kept.emplace_back(value.bytes.begin(), value.bytes.end());
    entries.push_back({std::string(name), Role::optimizer, {value.dtype, value.shape, kept.back()}});
  });
  write_safetensors(directory / "optimizer.safetensors", entries);
}

void write_predictions(const fs::path& directory, const Dataset& dataset, Engine& engine,
                       std::int64_t batch_size) {
  if (dataset.part(Part::test).empty()) return;
  const Tensor first = predict_test_part(dataset, engine, batch_size);
  const Tensor second = predict_test_part(dataset, engine, batch_size);
  const std::vector<SnapshotEntry> entries = {{"predictions.pass1", Role::prediction, first.view()},
                                              {"predictions.pass2", Role::prediction, second.view()}};
  write_safetensors(directory / "predictions.safetensors", entries);
}

void write_samples(const fs::path& directory, const Dataset& dataset, Engine& engine) {
  std::span<const std::int64_t> samples = dataset.part(Part::validation);
  if (samples.empty()) samples = dataset.part(Part::test);
  if (samples.empty()) return;
  Batch batch = dataset.evaluation_batch(samples.first(std::min<std::size_t>(8, samples.size())));
  Tensor output = engine.predict(batch.input);
  output.shape = batch.target.shape;
  add_mean(batch.input, dataset.mean_image());
  const std::vector<SnapshotEntry> entries = {{"samples.input", Role::sample, batch.input.view()},
                                              {"samples.output", Role::sample, output.view()},
                                              {"samples.target", Role::sample, batch.target.view()}};
  write_safetensors(directory / "samples.safetensors", entries);
}

}  // namespace repro

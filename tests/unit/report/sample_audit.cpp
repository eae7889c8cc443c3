#include "unit/report/sample_audit.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "repro/base/random.h"
#include "repro/base/sha256.h"
#include "repro/snapshot/item.h"

namespace repro {
namespace {

Tensor filled(const std::string& name, Shape shape, float scale) {
  Tensor tensor(DType::float32, std::move(shape));
  RandomStream stream(0, "sample/" + name);
  for (float& value : tensor.values<float>()) {
    value = scale * static_cast<float>(stream.unit24() * 2 - 1);
  }
  return tensor;
}

void add_layer(SampleWeights& weights, const std::string& layer, Shape shape, std::int64_t filters) {
  weights.push_back({layer + ".weight", Role::learnable, filled(layer, std::move(shape), 0.3F)});
  weights.push_back({layer + ".bias", Role::learnable, filled(layer + "b", {filters}, 0.01F)});
}

void write(const fs::path& path, const SampleWeights& weights) {
  std::vector<SnapshotEntry> entries;
  for (const SampleTensor& tensor : weights) {
    entries.push_back({tensor.name, tensor.role, tensor.tensor.view()});
  }
  write_safetensors(path, entries);
}

// Predictions follow from the weights: equal weights, equal predictions.
SampleWeights predictions_of(const SampleWeights& weights) {
  const auto values = weights[0].tensor.values<float>();
  Tensor tensor(DType::float32, {12, 1, 8, 8});
  auto out = tensor.values<float>();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = 0.5F + values[i % values.size()] / 2;
  return {{"predictions.pass1", Role::prediction, tensor}, {"predictions.pass2", Role::prediction, tensor}};
}

// Rings and bars, with noise on the input and blur on the output.
SampleWeights sample_pictures() {
  constexpr std::int64_t count = 10, size = 32;
  Tensor target(DType::float32, {count, 1, size, size});
  auto pixels = target.values<float>();
  for (std::int64_t i = 0; i < count * size * size; ++i) {
    const auto n = static_cast<double>(i / (size * size));
    const auto r = static_cast<double>(i / size % size) - 15.5;
    const auto c = static_cast<double>(i % size) - 15.5;
    const double ring = std::abs(std::hypot(r * (1 + n * 0.06), c * 1.3) - 9);
    const double bar = std::abs(c + r * 0.1 * (n - 4)) + (std::abs(r) > 11 ? 9.0 : 0.0);
    const double distance = i / (size * size) % 2 == 0 ? ring : bar;
    pixels[static_cast<std::size_t>(i)] = static_cast<float>(std::clamp(2.5 - distance, 0.0, 1.0));
  }
  Tensor input = target;
  Tensor output = target;
  RandomStream noise(0, "sample/noise");
  for (float& value : input.values<float>()) {
    const std::uint32_t draw = noise.below(40);
    if (draw < 2) value = static_cast<float>(draw);
  }
  for (float& value : output.values<float>()) value = 0.05F + 0.85F * value;
  return {{"samples.input", Role::sample, input},
          {"samples.output", Role::sample, output},
          {"samples.target", Role::sample, target}};
}

RunResult run_of(const std::string& group, std::int64_t index, const fs::path& directory) {
  RunResult run;
  run.group = group;
  run.index = index;
  run.directory = directory;
  run.record.name = group + "-" + std::to_string(index);
  run.record.status = RunStatus::finished;
  run.record.steps = 95;
  run.record.epochs = 5;
  run.record.started = "2026-11-30T15:00:0" + std::to_string(index % 10) + "Z";
  run.record.seconds = 13.5 + 0.25 * static_cast<double>(index % 3);
  run.record.step_seconds = 0.131;
  run.record.peak_memory_bytes = 1'100'000'000;
  for (std::int64_t step = 1; step <= 95; ++step) {
    StepRow row;
    row.step = step;
    row.epoch = (step - 1) / 19 + 1;
    row.loss = static_cast<float>(8 + 110 * std::exp(-static_cast<double>(step) / 14) +
                                  2 * std::sin(static_cast<double>(step)));
    row.learning_rate = 0.001;
    row.seconds = 0.131;
    run.steps.push_back(row);
  }
  run.validation = {{50, 3, 13.25F}, {95, 5, 9.5F}};
  return run;
}

SnapshotDiff diff_of(const fs::path& reference, const fs::path& candidate, const AuditResult& audit) {
  std::vector<SafetensorsFile> files;
  for (const fs::path& run : {reference, candidate}) {
    files.emplace_back(run / "weights.safetensors");
    files.emplace_back(run / "predictions.safetensors");
  }
  const auto both = [&](std::size_t first) {
    std::vector<Item> items = items_of(files[first].content());
    for (Item& item : items_of(files[first + 1].content())) items.push_back(std::move(item));
    return items;
  };
  DiffOptions options;
  options.rule = audit.rule;
  options.filter = audit.filter;
  options.with_hashes = true;
  return diff_snapshots(both(0), both(2), options);
}

std::vector<Setting> settings_of(bool deterministic) {
  const std::string on = deterministic ? "true" : "false";
  return {{"algorithms", "false", on, "false"},
          {"cudnn_benchmark", "false", "false", "false"},
          {"cudnn_deterministic", "false", on, "false"},
          {"tf32", "true", deterministic ? "false" : "true", "true"},
          {"cublas_workspace", "", deterministic ? ":4096:8" : "", ""}};
}

}  // namespace

SampleWeights autoencoder_weights() {
  SampleWeights weights;
  add_layer(weights, "conv1", {8, 1, 3, 3}, 8);
  add_layer(weights, "conv2", {16, 8, 3, 3}, 16);
  add_layer(weights, "conv3", {32, 16, 3, 3}, 32);
  add_layer(weights, "upconv1", {32, 32, 2, 2}, 32);
  add_layer(weights, "upconv2", {32, 16, 2, 2}, 16);
  add_layer(weights, "upconv3", {16, 8, 2, 2}, 8);
  add_layer(weights, "conv4", {1, 8, 1, 1}, 1);
  weights.push_back({"input.mean", Role::buffer, filled("mean", {1, 32, 32}, 0.5F)});
  return weights;
}

SampleWeights many_weights(int count) {
  SampleWeights weights;
  for (int i = 0; i < count; ++i) {
    const std::string name = "encoder.block" + std::to_string(i) + ".attention.weight";
    weights.push_back({name, Role::learnable, filled(name, {6, 8}, 0.2F)});
  }
  return weights;
}

void perturb(SampleWeights& weights, const std::string& tensor, std::size_t every, std::uint32_t ulps) {
  for (SampleTensor& candidate : weights) {
    if (candidate.name != tensor) continue;
    auto bits = candidate.tensor.values<std::uint32_t>();
    for (std::size_t i = 0; i < bits.size(); i += every) bits[i] += ulps + static_cast<std::uint32_t>(i % 7);
  }
}

SampleAudit::SampleAudit() {
  audit.name = "digits";
  audit.directory = "repro-out/digits/2026-11-30T15-00-00Z";
  audit.version = "0.1.0";
  audit.argv = {"repro-train", "--config", "configs/digits.json", "--runs", "2"};
  audit.started = "2026-11-30T15:00:00Z";
  audit.ended = "2026-11-30T15:01:02Z";
  audit.device = "cpu";
  audit.device_line = "CPU selected: no GPU found; the verdict holds for the CPU only.";
  audit.isolation = "process";
  audit.spec_json = R"({"name":"digits","execution":{"determinism":{"algorithms":true,
      "cudnn_benchmark":false,"cudnn_deterministic":true,"tf32":false,"cublas_workspace":":4096:8"}}})";
  audit.environment_json =
      R"({"format":"repro-train/environment","version":1,"machine":{"cpu_model":"A CPU","cores":2}})";
}

void SampleAudit::add_group(const std::string& name, const std::vector<SampleWeights>& runs) {
  GroupResult group;
  group.name = name;
  group.runs = group.finished = std::ssize(runs);
  group.reference = 0;
  group.step_seconds = name == "deterministic" ? 0.131 : 0.111;
  group.peak_memory_bytes = 1'100'000'000;
  group.settings = settings_of(name != "default");
  for (const SampleTensor& tensor : runs.at(0)) {
    if (tensor.role != Role::learnable) continue;
    ++group.tensors;
    group.values += static_cast<std::int64_t>(tensor.tensor.view().size());
  }
  std::set<std::string> classes;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const fs::path directory = folder() / "runs" / (name + "-" + std::to_string(k));
    fs::create_directories(directory);
    write(directory / "weights.safetensors", runs[k]);
    write(directory / "predictions.safetensors", predictions_of(runs[k]));
    write(directory / "samples.safetensors", sample_pictures());
    RunResult run = run_of(name, static_cast<std::int64_t>(k), directory);
    run.weights_sha256 = sha256_hex_of_file(directory / "weights.safetensors");
    run.result_class = run.weights_sha256.substr(0, 8);
    if (!classes.empty() && !classes.contains(run.result_class)) {
      for (StepRow& row : run.steps) {
        if (row.step > 11) row.loss *= 1 + 0.0004F * static_cast<float>(row.step - 11);
      }
    }
    classes.insert(run.result_class);
    audit.runs.push_back(run);
    if (k == 0) continue;
    Comparison comparison;
    comparison.group = name;
    comparison.candidate = static_cast<std::int64_t>(k);
    comparison.diff = diff_of(folder() / "runs" / (name + "-0"), directory, audit);
    audit.comparisons.push_back(comparison);
  }
  group.distinct = std::ssize(classes);
  audit.groups.push_back(group);
}

void SampleAudit::fail_last_run(const std::string& group, const std::string& message,
                                const std::vector<std::string>& log_tail) {
  for (GroupResult& candidate : audit.groups) {
    if (candidate.name == group) --candidate.finished;
  }
  for (std::size_t i = audit.runs.size(); i-- > 0;) {
    RunResult& run = audit.runs[i];
    if (run.group != group) continue;
    run.record.status = RunStatus::failed;
    run.record.message = message;
    run.log_tail = log_tail;
    run.steps.resize(20);
    run.record.steps = 20;
    run.validation.clear();
    run.weights_sha256.clear();
    std::erase_if(audit.comparisons, [&](const Comparison& comparison) {
      return comparison.group == group && comparison.candidate == run.index;
    });
    return;
  }
}

Divergence sample_divergence(std::int64_t step, Phase phase, const std::string& tensor) {
  Divergence divergence;
  divergence.step = step;
  divergence.epoch = step == 0 ? 0 : (step - 1) / 19 + 1;
  divergence.batch = step == 0 ? 0 : (step - 1) % 19 + 1;
  divergence.phase = phase;
  divergence.tensor = tensor;
  divergence.layer = tensor.substr(0, tensor.find('.'));
  divergence.reference = 0x0123456789abcdef;
  divergence.candidate = 0x0123456789abcdee;
  divergence.different_in_phase = 1;
  divergence.entries_in_phase = 14;
  return divergence;
}

void surround(Divergence& divergence) {
  const TraceSlot slot{.phase = divergence.phase,
                       .kind = divergence.kind,
                       .tensor = divergence.tensor,
                       .layer = divergence.layer,
                       .operation = divergence.operation,
                       .dtype = DType::float32,
                       .shape = {8, 1, 3, 3}};
  using State = Neighbour::State;
  for (const State state : {State::equal, State::different, State::only_reference, State::only_candidate}) {
    divergence.neighbours.push_back({state, slot});
  }
  divergence.at_neighbour = 1;
  divergence.last_equal = {divergence.step, divergence.epoch, divergence.batch, slot};
}

DifferenceMap sample_map(const std::string& tensor, int rows, std::int64_t last_step) {
  DifferenceMap map;
  for (std::int64_t step = 0; step <= last_step; ++step) map.steps.push_back(step);
  map.last_step = last_step;
  map.rows_equal = 7;
  for (int r = 0; r < rows; ++r) {
    DifferenceMap::Row row;
    row.phase = Phase::backward;
    row.tensor = tensor + std::to_string(r);
    for (std::int64_t step = 0; step <= last_step; ++step) {
      using Cell = DifferenceMap::Cell;
      row.cells.push_back(step == 0 ? Cell::absent : step > r + 1 ? Cell::different : Cell::equal);
    }
    row.first_different = r + 2;
    row.last_different = last_step;
    row.different_steps = static_cast<std::uint64_t>(last_step - r - 1);
    row.compared_steps = static_cast<std::uint64_t>(last_step);
    map.rows.push_back(row);
  }
  return map;
}

}  // namespace repro

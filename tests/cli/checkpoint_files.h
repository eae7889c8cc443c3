#pragma once

#include <string>
#include <vector>

#include "repro/snapshot/safetensors.h"
#include "support/cli.h"

namespace repro {

// Files for `diff` and `inspect` in a folder of their own.
class CheckpointFolder {
 public:
  // A file with w, float32 of shape (2, 2), b, float32 of shape (1), and n, int64.
  void write(const std::string& file, std::vector<float> w = {1, 2, 3, 4}, float b = 0.5F,
             std::int64_t n = 7) const {
    Tensor weight(DType::float32, {2, 2}), bias(DType::float32, {1}), count(DType::int64, {});
    std::copy(w.begin(), w.end(), weight.values<float>().begin());
    bias.values<float>()[0] = b;
    count.values<std::int64_t>()[0] = n;
    const std::vector<SnapshotEntry> entries = {{"w", Role::learnable, weight.view()},
                                                {"b", Role::learnable, bias.view()},
                                                {"n", Role::buffer, count.view()}};
    fs::create_directories((path() / file).parent_path());
    write_safetensors(path() / file, entries);
  }
  void write_named(const std::string& file, const std::vector<std::string>& names, float value = 1) const {
    Tensor tensor(DType::float32, {1});
    tensor.values<float>()[0] = value;
    std::vector<SnapshotEntry> entries;
    for (const std::string& name : names) entries.push_back({name, Role::none, tensor.view()});
    write_safetensors(path() / file, entries);
  }
  CliResult diff(std::vector<std::string> arguments) const { return command("diff", std::move(arguments)); }
  CliResult inspect(std::vector<std::string> arguments) const {
    return command("inspect", std::move(arguments));
  }
  const fs::path& path() const { return folder_.path(); }

 private:
  CliResult command(const std::string& name, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), name);
    return Cli(path())(arguments);
  }
  TemporaryFolder folder_;
};

}  // namespace repro

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repro/model/model.h"
#include "repro/spec/spec.h"

namespace repro {

// Where and with how many threads the network of a spec would be trained.
struct TrainingPlace {
  std::string device;    // "cpu", "cuda", "cuda:K"
  std::string why;       // "as the spec says"
  std::int64_t threads;  // >= 1
  bool threads_of_spec;  // false: all that this process may use
};

// Error{request} unless the value of --device is cpu, cuda or cuda:K.
void check_device_option(const std::string& device);

// `device` as given with --device, else the spec's; a spec's "auto" means a CPU, as no device is looked for.
TrainingPlace training_place(const Spec& spec, const std::optional<std::string>& device);

// What is known about the determinism of every pass before anything is trained (advice/forecast.h): a
// table of at most `width` columns if that can be had, then causes, remedies and sources.
std::string determinism_text(const Model& model, const Spec& spec, const TrainingPlace& place, int width);

}  // namespace repro

#include "repro/audit/plan.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "repro/base/text.h"
#include "repro/data/batch.h"
#include "repro/data/idx.h"
#include "repro/data/split.h"
#include "repro/environment/environment.h"
#include "repro/model/model.h"
#include "repro/run/schedule.h"

namespace repro {
namespace {

// glibc gives large blocks back to the kernel at every step and faults them in again; keeping them halves
// the time of a step on a CPU. No bit depends on it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> malloc_tunables = {{
    {"glibc.malloc.mmap_threshold", "4294967296"},
    {"glibc.malloc.trim_threshold", "17179869184"},
    {"glibc.malloc.top_pad", "268435456"},
}};

std::string with_malloc_tunables(std::string tunables) {
  for (const auto& [name, value] : malloc_tunables) {
    if (tunables.find(std::string(name) + "=") != std::string::npos) continue;  // the user's counts
    if (!tunables.empty()) tunables += ':';
    tunables += std::string(name) + '=' + std::string(value);
  }
  return tunables;
}

const std::string* find(const std::map<std::string, std::string>& variables, const char* name) {
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : &found->second;
}

void check_flush_denormal(const AuditPlan& plan) {
  const bool deterministic = std::ranges::any_of(plan.groups, &PlannedGroup::deterministic);
  if (plan.spec.audit.isolation == Isolation::shared && deterministic &&
      plan.spec.execution.determinism.flush_denormal) {
    throw Error(ErrorKind::request,
                "/execution/determinism/flush_denormal cannot be switched in a process whose threads "
                "have already started",
                "use --isolation process, or set it to false");
  }
}

// Digits can always be drawn; files are read to their last byte.
std::int64_t checked_image_count(const AuditPlan& plan) {
  const DataSpec& data = plan.spec.data;
  if (data.type == DataType::digits) return data.count;
  const fs::path folder = plan.spec_folder;
  return read_idx_set(folder / data.images, folder / data.labels, data.limit).count;
}

// Names that a fault in this phase may have; empty where that is not known here (operations).
std::vector<std::string> injection_targets(const AuditPlan& plan, const Injection& injection) {
  if (injection.targets_operation()) return {};
  if (injection.phase == Phase::batch) return {"input", "target"};
  if (injection.phase == Phase::loss) return {"loss"};
  if (injection.phase == Phase::buffer) {
    return {plan.spec.input.normalization ? "input.mean" : "(the network has no buffer)"};
  }
  std::vector<std::string> names;
  for (const Parameter& parameter : checked_model(plan.spec, plan.spec_folder).parameters) {
    names.push_back(parameter.name);
    if (injection.phase == Phase::backward) continue;
    names.push_back("adam.m/" + parameter.name);
    names.push_back("adam.v/" + parameter.name);
  }
  return names;
}

void check_injection_place(const AuditPlan& plan, const Injection& injection, std::int64_t steps,
                           const std::string& what) {
  if (injection.step > steps) {
    throw Error(ErrorKind::request, what + "there is no step " + thousands(injection.step) +
                                        ", the training has " + plural(steps, "step"));
  }
  const std::vector<std::string> names = injection_targets(plan, injection);
  if (names.empty() || std::ranges::find(names, injection.target) != names.end()) return;
  const auto near = nearest(injection.target, names);
  throw Error(ErrorKind::request,
              what + "there is no '" + displayable(injection.target) + "' in phase " +
                  std::string(name_of(injection.phase)),
              near ? "did you mean '" + *near + "'?" : "there are " + join(names, ", "));
}

void check_injection(const AuditPlan& plan, const Injection& injection, std::int64_t steps) {
  const std::string what = "--inject " + displayable(text_of(injection)) + ": ";
  std::vector<std::string> runs;
  for (std::int64_t k = 0; k < plan.spec.audit.runs; ++k) {
    if (injection.run == std::to_string(k)) return check_injection_place(plan, injection, steps, what);
    for (const PlannedGroup& group : plan.groups) runs.push_back(group.name + "-" + std::to_string(k));
  }
  if (std::ranges::find(runs, injection.run) == runs.end()) {
    throw Error(ErrorKind::request, what + "there is no run '" + displayable(injection.run) + "'",
                "name a run, such as " + runs.back() + ", or its number");
  }
  check_injection_place(plan, injection, steps, what);
}

void check_injections(const AuditPlan& plan, std::int64_t steps) {
  for (const Injection& injection : plan.injections) check_injection(plan, injection, steps);
}

}  // namespace

std::vector<PlannedGroup> planned_groups(DeterminismMode mode) {
  switch (mode) {
    case DeterminismMode::on: return {{"deterministic", true}};
    case DeterminismMode::off: return {{"default", false}};
    case DeterminismMode::both: return {{"default", false}, {"deterministic", true}};
    case DeterminismMode::warn: return {{"warn", true, true}};
  }
  throw Error(ErrorKind::bug, "unknown determinism mode");
}

std::int64_t resolved_threads(const Spec& spec) {
  return spec.execution.threads == 0 ? usable_cores() : spec.execution.threads;
}

Model checked_model(const Spec& spec, const std::string& spec_folder) {
  Shape observation = {1, 0, 0};
  if (const auto& resize = spec.input.resize) {
    observation = {1, resize->size[0], resize->size[1]};
  } else {
    const auto [rows, columns] = image_size(spec.data, spec_folder);
    observation = {1, rows, columns};
  }
  Model model = infer_model(spec.model, observation);
  check_output(model, observation);
  return model;
}

void check_plan(const AuditPlan& plan) {
  check_flush_denormal(plan);
  checked_model(plan.spec, plan.spec_folder);
  const std::int64_t samples = part_sizes(checked_image_count(plan), plan.spec.data.split).front();
  const TrainingSpec& training = plan.spec.training;
  if (const std::int64_t steps = total_steps(training, samples); steps > 0) {
    return check_injections(plan, steps);
  }
  const std::string why = training.epochs == 0 ? "/training/epochs is 0"
                                               : "/training/batch_size is " + thousands(training.batch_size) +
                                                     ", there are " + plural(samples, "training image") +
                                                     ", and an incomplete last batch is dropped";
  throw Error(ErrorKind::unavailable, "no verdict: there is not one training step: " + why,
              "train for at least one step");
}

std::vector<std::string> tensor_names(const AuditPlan& plan) {
  std::vector<std::string> names;
  for (const Parameter& parameter : checked_model(plan.spec, plan.spec_folder).parameters) {
    names.push_back(parameter.name);
  }
  if (plan.spec.input.normalization) names.emplace_back("input.mean");
  names.insert(names.end(), {"predictions.pass1", "predictions.pass2"});
  return names;
}

std::map<std::string, std::string> worker_environment(const AuditPlan& plan, bool deterministic,
                                                      const std::map<std::string, std::string>& current) {
  const std::string threads = std::to_string(resolved_threads(plan.spec));
  std::map<std::string, std::string> out = {{"OMP_NUM_THREADS", threads},
                                            {"OMP_DYNAMIC", "false"},
                                            {"MKL_NUM_THREADS", threads},
                                            {"MKL_DYNAMIC", "false"}};
  const std::string* tunables = find(current, "GLIBC_TUNABLES");
  out["GLIBC_TUNABLES"] = with_malloc_tunables(tunables == nullptr ? "" : *tunables);
  if (deterministic) {
    const std::string* workspace = find(current, "CUBLAS_WORKSPACE_CONFIG");
    if (workspace == nullptr) {
      out["CUBLAS_WORKSPACE_CONFIG"] = plan.spec.execution.determinism.cublas_workspace;
    } else if (*workspace != ":4096:8" && *workspace != ":16:8") {
      throw Error(ErrorKind::request,
                  "CUBLAS_WORKSPACE_CONFIG is '" + displayable(*workspace) +
                      "' in the environment; deterministic runs allow :4096:8 or :16:8",
                  "unset it or set it to one of these");
    }
  }
  return out;
}

}  // namespace repro

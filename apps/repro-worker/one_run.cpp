#include "one_run.h"

#include <sys/resource.h>

#include <chrono>
#include <optional>

#include "repro/base/text.h"
#include "repro/engine/libtorch/determinism.h"
#include "repro/engine/libtorch/engine.h"
#include "repro/engine/libtorch/facts.h"
#include "repro/engine/libtorch/seeds.h"

namespace repro {
namespace {

std::uint64_t peak_memory_bytes() {
  struct rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// Settings first, then generators, then the data and the first tensor.
TrainingSummary train_under_guard(const RunRequest& request, const fs::path& directory,
                                  const ResolvedDevice& device, const DeterminismGuard& guard,
                                  TrainingObserver& observer) {
  if (const auto unmet = guard.unmet(); !unmet.empty()) {
    throw Error(ErrorKind::unavailable, "determinism settings are not in force: " + join(unmet, "; "));
  }
  use_threads(request.threads);
  seed_generators(request.spec.seed, device.device);
  const Dataset dataset(request.spec, request.spec_folder);
  const Model model = infer_model(request.spec.model, dataset.observation_shape());
  LibTorchEngine engine({.device = device.device,
                         .memory_format = request.spec.execution.memory_format,
                         .optimizer = request.spec.optimizer,
                         .collect_alerts = request.warn_only});
  return train(request, dataset, model, engine, directory, observer);
}

}  // namespace

WorkerEvent train_one(const fs::path& directory, const ResolvedDevice& device, TrainingObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  const RunRequest request = read_request(directory);
  if (request.device != device.device) {
    throw Error(ErrorKind::bug, "the run wants " + request.device + ", this worker has " + device.device);
  }
  std::vector<SettingValue> before, in_force;
  TrainingSummary summary;
  std::exception_ptr failure;
  {
    const DeterminismGuard guard(
        request.deterministic ? std::optional(request.spec.execution.determinism) : std::nullopt,
        request.warn_only);
    before = guard.before();
    in_force = guard.in_force();
    try {
      summary = train_under_guard(request, directory, device, guard, observer);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  write_file(directory / "environment.json",
             run_environment(request, device, before, in_force, read_settings()));
  if (failure) std::rethrow_exception(failure);

  WorkerEvent event;
  event.type = WorkerEvent::Type::finished;
  event.step = summary.steps;
  event.epoch = summary.epochs;
  event.stopped_early = summary.stopped_early;
  event.first_nan_step = summary.first_nan_step;
  event.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  event.step_seconds = summary.step_seconds;
  event.peak_memory_bytes = peak_memory_bytes();
  return event;
}

}  // namespace repro

// A worker without LibTorch for black-box tests of repro-train: it speaks the protocol, trains with the
// fake engine, and misbehaves as FAKE_WORKER says. A list of "<run>=<fault>" separated by commas; the run
// "start" means before it is ready. Faults:
//   ulp:<step>   one weight changes by one ULP after that step      nan:<step>   the loss is NaN from then on
//   throw:<kind> the run fails with an error of that kind           kill / abort the process dies
//   exit:<n>     the process ends with that status                  passes       prediction passes differ
//   late         the process dies after training, before it says so no-weights   weights are removed
//   protocol / build / device / garbage (start only): wrong protocol, other build, refused device, noise
//   hang         waits for its end                                  deaf         a fault on purpose is not
//   injected alert        an alert of warn mode in the first step
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>

#include "repro/base/number.h"
#include "repro/environment/environment.h"
#include "repro/run/protocol.h"
#include "repro/run/request.h"
#include "repro/train/loop.h"
#include "support/fake_engine.h"

namespace repro {
namespace {

void say(const WorkerEvent& event) {
  const std::string line = encode_event(event) + "\n";
  if (::write(3, line.data(), line.size()) < 0) std::exit(0);
}

// The fault of a run, "" if it has none.
std::string fault_of(const std::string& run) {
  const char* list = std::getenv("FAKE_WORKER");
  std::string_view rest = list == nullptr ? "" : list;
  while (!rest.empty()) {
    const std::string_view entry = rest.substr(0, rest.find(','));
    const std::size_t equals = entry.find('=');
    if (entry.substr(0, equals) == run) return std::string(entry.substr(equals + 1));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
  }
  return "";
}

std::string argument(const std::string& fault) { return fault.substr(fault.find(':') + 1); }

void misbehave(const std::string& fault) {
  if (fault == "kill") ::raise(SIGKILL);
  if (fault == "abort") std::abort();
  if (fault.starts_with("exit:")) std::_Exit(std::stoi(argument(fault)));
  if (fault == "hang") {
    for (;;) ::pause();
  }
}

void disturb(FakeEngine& engine, const std::string& fault) {
  if (fault.starts_with("ulp:")) {
    engine.after_update = [at = std::stoll(argument(fault))](std::int64_t step, auto& weights) {
      if (step != at) return;
      float& value = weights.front().tensor.template values<float>()[0];
      value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) + 1);
    };
  }
  if (fault.starts_with("nan:")) {
    engine.on_loss = [at = std::stoll(argument(fault))](std::int64_t step, float loss) {
      return step >= at ? std::numeric_limits<float>::quiet_NaN() : loss;
    };
  }
  if (fault == "alert") {
    engine.alerts = {{Phase::backward, "conv1", "aten::planted", "it is not deterministic", 3}};
  }
  if (fault == "passes") {
    engine.on_prediction = [](std::int64_t call, std::span<float> output) {
      output[0] += static_cast<float>(call);
    };
  }
}

class Steps : public TrainingObserver {
 public:
  void on_step(const StepRow& row, std::int64_t total_steps) override {
    say(step_event(row.step, total_steps, row.epoch, static_cast<double>(row.loss)));
  }
  void on_warning(const std::string& message) override { say(warning_event(message)); }
};

WorkerEvent train_one(const fs::path& directory) {
  RunRequest request = decode_request(read_text_file(directory / "request.json"), "request.json");
  const std::string fault = fault_of(request.name());
  if (fault == "deaf") request.injection.reset();
  if (std::freopen((directory / "log.txt").c_str(), "a", stderr) == nullptr) std::abort();
  std::cerr << "fake run " << request.name() << " " << fault << std::endl;
  misbehave(fault);
  if (fault == "throw:bug") return failed_event({ErrorKind::bug, "a planted bug"});
  if (fault == "throw:input") return failed_event({ErrorKind::input, "a planted input error"});
  if (fault.starts_with("throw")) return failed_event({ErrorKind::unavailable, "a planted failure"});
  const Dataset dataset(request.spec, request.spec_folder);
  const Model model = infer_model(request.spec.model, dataset.observation_shape());
  FakeEngine engine;
  disturb(engine, fault);
  Steps steps;
  const TrainingSummary summary = train(request, dataset, model, engine, directory, steps);
  const std::string on = request.deterministic ? "on" : "off";
  write_file(directory / "environment.json",
             R"({"format": "repro-train/run-environment", "version": 1, "determinism": [{"name": )"
             R"("algorithms", "before": "off", "in_force": ")" +
                 on + R"(", "after": "off"}]})");
  if (fault == "late") ::raise(SIGKILL);
  if (fault == "no-weights") fs::remove(directory / "weights.safetensors");
  WorkerEvent event;
  event.type = WorkerEvent::Type::finished;
  event.step = summary.steps;
  event.epoch = summary.epochs;
  event.stopped_early = summary.stopped_early;
  event.first_nan_step = summary.first_nan_step;
  event.seconds = 1.5;
  event.step_seconds = 0.25;
  event.peak_memory_bytes = 123456789;
  return event;
}

void start(const std::string& device) {
  const std::string fault = fault_of("start");
  misbehave(fault);
  if (fault == "garbage") {
    const std::string noise = "{\"event\": \"dance\"}\n";
    if (::write(3, noise.data(), noise.size()) < 0) std::exit(0);
  }
  WorkerEvent ready;
  ready.type = WorkerEvent::Type::ready;
  ready.protocol = fault == "protocol" ? worker_protocol + 1 : worker_protocol;
  ready.build = fault == "build" ? "0.0.0+other" : build_identity();
  ready.device = "cpu";
  ready.device_reason = "no GPU found";
  if (fault == "device" || device.starts_with("cuda")) {
    ready = failed_event({ErrorKind::unavailable, "device " + device + " is not there"});
    ready.type = WorkerEvent::Type::refused;
  }
  say(ready);
}

}  // namespace
}  // namespace repro

int main(int argc, char** argv) {
  std::string device = "auto";
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--device") device = argv[i + 1];
  }
  repro::start(device);
  for (std::string directory; std::getline(std::cin, directory);) {
    try {
      repro::say(repro::train_one(directory));
    } catch (const repro::Error& error) {
      repro::say(repro::failed_event(error));
    }
  }
}

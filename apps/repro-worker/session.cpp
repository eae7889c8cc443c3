#include "session.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <iostream>

#include "one_run.h"
#include "repro/environment/environment.h"
#include "repro/run/protocol.h"

namespace repro {
namespace {

constexpr int events_descriptor = 3;

// False: nobody listens any more.
bool say(const WorkerEvent& event) {
  const std::string line = encode_event(event) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(events_descriptor, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

// Steps are said at most twenty times a second; the last one always.
class Reporter : public TrainingObserver {
 public:
  void on_step(const StepRow& row, std::int64_t total_steps) override {
    const auto now = std::chrono::steady_clock::now();
    if (row.step < total_steps && now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    say(step_event(row.step, total_steps, row.epoch, static_cast<double>(row.loss)));
  }
  void on_warning(const std::string& message) override { say(warning_event(message)); }

 private:
  std::chrono::steady_clock::time_point last_{};
};

// What the run and the libraries print belongs to the run's own log.
void redirect_output(const fs::path& log) {
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) {
    throw Error(ErrorKind::unavailable, "cannot write log.txt: " + error_text(errno));
  }
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  ::close(file);
}

WorkerEvent serve_one(const fs::path& directory, const ResolvedDevice& device) {
  try {
    redirect_output(directory / "log.txt");
    Reporter reporter;
    return train_one(directory, device, reporter);
  } catch (const Error& error) {
    std::cerr << "error: " << error.what() << std::endl;
    return failed_event(error);
  } catch (const std::bad_alloc&) {
    return failed_event({ErrorKind::unavailable, "out of memory"});
  } catch (const std::exception& error) {
    std::cerr << "bug: " << error.what() << std::endl;
    return failed_event({ErrorKind::bug, error.what()});
  }
}

}  // namespace

int serve(const SessionOptions& options) {
  ResolvedDevice device;
  try {
    device = resolve_device(options.device);
  } catch (const Error& error) {
    WorkerEvent refused = failed_event(error);
    refused.type = WorkerEvent::Type::refused;
    say(refused);
    return 0;
  }
  WorkerEvent ready;
  ready.type = WorkerEvent::Type::ready;
  ready.protocol = worker_protocol;
  ready.build = build_identity();
  ready.device = device.device;
  ready.device_name = device.name;
  ready.device_reason = device.reason;
  if (!say(ready)) return 0;
  for (std::string directory; std::getline(std::cin, directory);) {
    if (!say(serve_one(directory, device))) return 0;
  }
  return 0;
}

}  // namespace repro

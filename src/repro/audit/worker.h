#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "repro/base/files.h"
#include "repro/process/process.h"
#include "repro/run/protocol.h"

namespace repro {

// Where a worker is: REPRO_WORKER, else beside this program, else ../libexec/repro-train. Error{request}
// saying what was looked for.
fs::path find_worker();

// A memory file that takes what a worker prints before it knows its run.
class EarlyOutput {
 public:
  EarlyOutput();
  EarlyOutput(const EarlyOutput&) = delete;
  EarlyOutput& operator=(const EarlyOutput&) = delete;
  ~EarlyOutput();
  fs::path path() const;
  std::string text() const;

 private:
  int descriptor_ = -1;
};

// Thrown through an executor when the user asked to stop.
struct Interrupted {};

// One worker process and the protocol with it. Ends the process when it goes.
class Worker {
 public:
  // Starts it and waits until it is ready. Error{request} if it is of another protocol or build, both
  // named; what the worker refuses is thrown as it says; Error{unavailable} if it ends before it is ready.
  // Interrupted if `interrupt_descriptor` becomes readable.
  Worker(const fs::path& program, const std::string& device,
         const std::map<std::string, std::string>& environment, int interrupt_descriptor);

  const WorkerEvent& ready() const { return ready_; }

  // Trains what <directory>/request.json asks; gives the event `finished` or `failed`. A worker that dies
  // is `failed` with how it ended. `on_event` gets steps and warnings.
  WorkerEvent train(const fs::path& directory, const std::function<void(const WorkerEvent&)>& on_event);

  // False once the process is gone.
  bool alive() const { return alive_; }
  // Asks the process group to end (SIGTERM), then kills it after five seconds.
  void stop();

 private:
  std::optional<WorkerEvent> next_event();
  std::string how_it_ended();

  int interrupt_descriptor_;
  EarlyOutput early_;
  Process process_;
  WorkerEvent ready_;
  bool alive_ = true;
  bool used_ = false;
};

}  // namespace repro

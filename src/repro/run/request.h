#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "repro/base/files.h"
#include "repro/run/injection.h"
#include "repro/spec/spec.h"

namespace repro {

enum class TraceLevel { none, steps, ops };
std::string_view name_of(TraceLevel level);
std::optional<TraceLevel> trace_level_named(std::string_view name);

// What is asked of one run: everything that the machine decides is resolved. Written as request.json
// before the run starts; the worker reads nothing else.
struct RunRequest {
  std::string group;          // "default", "deterministic"
  std::int64_t index = 0;     // k of <group>-<k>
  Spec spec;                  // with every default; execution.device and threads as asked
  std::string spec_folder;    // absolute; relative data paths start here
  std::string device;         // resolved: "cpu" or "cuda:K"
  std::int64_t threads = 1;   // resolved, >= 1
  bool deterministic = true;  // apply spec.execution.determinism; false: leave LibTorch as it comes
  bool warn_only = false;     // with deterministic: operations without such an algorithm only warn
  TraceLevel trace = TraceLevel::steps;
  bool save_optimizer = false;
  std::optional<Injection> injection;  // a fault for this run
  // A trace.bin of another run, "" for none: where this run parts from it, the tensor is kept in
  // first_difference.safetensors, and the training ends with that step.
  std::string part_from;
  std::map<std::string, std::string> environment;  // variables set for the process, before it starts

  std::string name() const { return group + "-" + std::to_string(index); }
};

// decode(encode(r)) == r. Error{input} for a file that this program did not write or another version did.
std::string encode_request(const RunRequest& request);
RunRequest decode_request(std::string_view json_text, std::string_view what);
// request.json in the folder of a run.
RunRequest read_request(const fs::path& run_directory);

}  // namespace repro

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/compare/diff.h"
#include "repro/compare/rule.h"
#include "repro/model/model.h"
#include "repro/run/request.h"
#include "repro/spec/spec.h"

namespace repro {

struct PlannedGroup {
  std::string name;  // [a-z0-9_-]+
  bool deterministic = true;
  bool warn_only = false;  // with deterministic: operations without such an algorithm only warn
};

// What an audit is going to do; complete before anything is started.
struct AuditPlan {
  Spec spec;
  std::string spec_folder;           // absolute
  std::vector<PlannedGroup> groups;  // in the order in which they run
  TraceLevel trace = TraceLevel::steps;
  bool save_optimizer = false;
  std::vector<Injection> injections;  // faults on purpose, each for the run that it names
  bool prove = false;                 // one more run, with a fault that must be found
  Rule rule;
  Filter filter;
  bool expect_different = false;
  std::vector<std::string> argv;
  fs::path directory;  // of the audit
};

// The groups of spec.audit.determinism.
std::vector<PlannedGroup> planned_groups(DeterminismMode mode);

// Threads of every run: as asked, or the cores that this process may use.
std::int64_t resolved_threads(const Spec& spec);

// The network of a spec, its output checked against the images. The data files are looked at only where no
// resizing says how large an observation is. Error{request} for layers that do not fit, Error{input} as
// image_size().
Model checked_model(const Spec& spec, const std::string& spec_folder);

// What would stop the plan before anything is started:
//   Error{request}      layers that do not fit, contradictions between options, a fault for a run or a step
//                       that will not be
//   Error{input}        data files that are missing, unreadable or malformed
//   Error{unavailable}  not one training step
// Reads the data files to their last byte, so that a run does not meet the trouble later.
void check_plan(const AuditPlan& plan);

// Names of all tensors that a run of the plan leaves: learnables, buffers, predictions. Error as check_plan.
std::vector<std::string> tensor_names(const AuditPlan& plan);

// Variables that count before a worker starts: threads of OpenMP and MKL, malloc's tunables, and for a
// process that runs a deterministic group cuBLAS's workspace. `current` is the environment of this
// process: a user's valid value is kept, tunables are appended to. Error{request} for an invalid one.
std::map<std::string, std::string> worker_environment(const AuditPlan& plan, bool deterministic,
                                                      const std::map<std::string, std::string>& current);

}  // namespace repro

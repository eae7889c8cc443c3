#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repro/base/files.h"
#include "repro/compare/diff.h"
#include "repro/compare/difference_map.h"
#include "repro/compare/rule.h"
#include "repro/compare/trace_diff.h"
#include "repro/run/record.h"

namespace repro {

// One run of an audit as the reports show it.
struct RunResult {
  RunRecord record;
  std::string group;
  std::int64_t index = 0;
  fs::path directory;
  bool passes_identical =
      true;                    // prediction pass 2 equals pass 1 bit for bit (true if there is no test part)
  std::string weights_sha256;  // of weights.safetensors; "" unless finished
  std::string result_class;    // equal for runs whose weights and predictions are equal bit for bit
  std::vector<StepRow> steps;
  std::vector<ValidationRow> validation;
  std::vector<AlertRow> alerts;       // warn mode
  std::vector<std::string> log_tail;  // failed: the last lines of log.txt, displayable
  std::string environment_json;       // environment.json of the run, "" if there is none
};

// Every finished run but the reference, compared with the reference of its group.
struct Comparison {
  std::string group;
  std::int64_t reference = 0;  // run index
  std::int64_t candidate = 0;
  SnapshotDiff diff;                            // learnables, buffers, predictions, in that order
  std::optional<Divergence> divergence;         // of the traces
  std::optional<DifferenceMap> difference_map;  // of the traces, if they diverge
  bool optimizer_differs = false;               // only known with --save optimizer
};

std::string run_name(const std::string& group, std::int64_t index);  // "deterministic-1"
std::string pair_text(const Comparison& comparison);  // "deterministic-1 against deterministic-0"

// One setting of the determinism guard: what it was before, in force while training, and after.
struct Setting {
  std::string name, before, in_force, after;
};

struct GroupResult {
  std::string name;
  std::int64_t runs = 0;  // asked
  std::int64_t finished = 0;
  std::int64_t distinct = 0;              // result classes among the finished runs
  std::optional<std::int64_t> reference;  // run index; absent if no run finished
  std::vector<std::int64_t> odd_ones;  // with three or more finished: those outside a strict majority class
  std::int64_t tensors = 0;            // learnables (scope buffers: buffers) of the reference
  std::int64_t values = 0;
  double step_seconds = 0;              // median of the runs' medians
  std::uint64_t peak_memory_bytes = 0;  // largest
  std::vector<Setting> settings;        // of the reference run (or of the first that has an environment)
  bool traced_operations = false;       // the reference has an operation trace
  std::int64_t threads = 0;             // of every run; 0 where no run was started
};

// What `localize` found out about two runs that differ: they were repeated with operation traces.
struct Localization {
  std::string group;
  std::int64_t reference = 0, candidate = 0;  // run indices in the audit
  std::int64_t attempts = 0;                  // how often both were repeated
  std::int64_t shown = 0;                     // in how many of them they parted again
  std::string failure;                        // a repetition failed: why
  std::optional<Divergence> divergence;       // with operations; absent if it did not show again
  std::optional<TensorDiff> tensor;           // the two versions of the first differing tensor
  fs::path reference_file, candidate_file;    // where they are kept
  std::string tensor_note;                    // why there are none, or ""
};

// The run that --prove adds, with its fault.
struct Proof {
  std::string run;                       // "deterministic-2"
  std::string fault;                     // text_of(Injection)
  bool finished = false;                 // the run itself
  std::string message;                   // of a run that failed
  bool judged_different = false;         // from the reference of its group
  bool located = false;                  // at exactly the step, phase and tensor of the fault
  std::optional<Divergence> divergence;  // where it was found
};

struct AuditResult {
  std::string name;     // of the spec
  fs::path directory;   // of the audit, as the user should see it
  std::string version;  // of repro-train
  std::vector<std::string> argv;
  std::string started, ended;  // UTC
  std::string device;          // "cpu", "cuda:0"
  std::string device_line;     // "CPU selected: no GPU found; the verdict holds for the CPU only."
  Rule rule;
  Filter filter;
  std::string isolation;                       // "process", "shared"
  std::vector<GroupResult> groups;             // in the order in which they ran
  std::vector<RunResult> runs;                 // group by group, by index
  std::vector<Comparison> comparisons;         // group by group, by candidate
  std::optional<Divergence> first_divergence;  // the earliest of the groups that decide
  std::string first_divergence_of;             // "deterministic-1 against deterministic-0"
  std::optional<Localization> localization;
  std::optional<Proof> proof;
  std::vector<std::string> warnings;
  std::string spec_json;                   // encode_spec
  std::string environment_json;            // of the audit
  std::optional<double> determinism_cost;  // with both groups: step time deterministic / default, medians
};

}  // namespace repro

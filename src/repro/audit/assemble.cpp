#include "repro/audit/assemble.h"

#include <algorithm>
#include <map>

#include "repro/audit/directory.h"
#include "repro/audit/localize.h"
#include "repro/audit/run_files.h"
#include "repro/base/median.h"
#include "repro/base/text.h"
#include "repro/environment/environment.h"
#include "repro/run/request.h"
#include "repro/snapshot/trace.h"
#include "repro/spec/decode.h"

namespace repro {
namespace {

bool finished(const RunResult& run) { return run.record.status == RunStatus::finished; }

// What is on file of the reference while the other runs of its group are compared with it.
struct Reference {
  const RunResult& run;
  RunSnapshot snapshot;
  std::optional<Trace> trace;
};

std::optional<Trace> trace_of(const RunResult& run) {
  const fs::path file = run.directory / "trace.bin";
  return fs::exists(file) ? std::optional(read_trace(file)) : std::nullopt;
}

std::string file_hash(const RunResult& run, const char* name) {
  const auto found = run.record.files.find(name);
  return found == run.record.files.end() ? std::string() : found->second;
}

Comparison compare(const Reference& reference, const RunResult& candidate, const RunSnapshot& snapshot,
                   const Rule& rule, const Filter& filter) {
  Comparison out;
  out.group = candidate.group;
  out.reference = reference.run.index;
  out.candidate = candidate.index;
  out.diff = diff_snapshots(reference.snapshot.items(), snapshot.items(),
                            {.rule = rule,
                             .filter = filter,
                             .with_hashes = true,
                             .threads = static_cast<unsigned>(usable_cores())});
  const auto trace = trace_of(candidate);
  if (reference.trace && trace) out.divergence = diff_traces(*reference.trace, *trace).divergence;
  if (out.divergence) out.difference_map = difference_map(*reference.trace, *trace);
  out.optimizer_differs =
      file_hash(reference.run, "optimizer.safetensors") != file_hash(candidate, "optimizer.safetensors");
  return out;
}

// Fills in what the finished runs of a group say together.
class GroupAssembly {
 public:
  GroupAssembly(AuditResult& audit, const PlannedGroup& planned, std::int64_t runs) : audit_(audit) {
    group_.name = planned.name;
    group_.runs = runs;
  }

  void add_runs(const fs::path& directory) {
    first_run_ = audit_.runs.size();
    for (std::int64_t k = 0; k < group_.runs; ++k) {
      audit_.runs.push_back(read_run(run_directory(directory, group_.name, k), group_.name, k));
    }
  }

  void finish() {
    const auto runs = std::span(audit_.runs).subspan(first_run_);
    count(runs);
    const auto first = std::ranges::find_if(runs, finished);
    if (first != runs.end()) compare_with(*first, runs);
    read_settings(runs);
    audit_.groups.push_back(std::move(group_));
  }

 private:
  void count(std::span<const RunResult> runs) {
    std::map<std::string, std::int64_t> classes;
    std::vector<double> seconds;
    for (const RunResult& run : runs) {
      if (!finished(run)) continue;
      ++group_.finished;
      ++classes[run.result_class];
      seconds.push_back(run.record.step_seconds);
      group_.peak_memory_bytes = std::max(group_.peak_memory_bytes, run.record.peak_memory_bytes);
    }
    group_.distinct = static_cast<std::int64_t>(classes.size());
    group_.step_seconds = median(seconds);
    if (group_.finished < 3) return;
    for (const auto& [name, members] : classes) {
      if (members * 2 <= group_.finished) continue;
      for (const RunResult& run : runs) {
        if (finished(run) && run.result_class != name) group_.odd_ones.push_back(run.index);
      }
    }
  }

  void compare_with(RunResult& first, std::span<RunResult> runs) {
    const Reference reference{first, RunSnapshot(first.directory), trace_of(first)};
    group_.reference = first.index;
    group_.threads = read_request(first.directory).threads;
    group_.traced_operations = reference.trace && has_operations(*reference.trace);
    first.passes_identical = reference.snapshot.passes_identical();
    const Role counted = audit_.filter.scope == Filter::Scope::buffers ? Role::buffer : Role::learnable;
    for (const Item& item : reference.snapshot.items()) {
      if (item.role != counted || !audit_.filter.admits(item.name, item.role)) continue;
      ++group_.tensors;
      group_.values += static_cast<std::int64_t>(item.tensor.size());
    }
    for (RunResult& run : runs) {
      if (!finished(run) || &run == &first) continue;
      const RunSnapshot snapshot(run.directory);
      run.passes_identical = snapshot.passes_identical();
      audit_.comparisons.push_back(compare(reference, run, snapshot, audit_.rule, audit_.filter));
      warn_about(audit_.comparisons.back());
    }
  }

  void warn_about(const Comparison& comparison) {
    if (comparison.diff.verdict != Verdict::identical) return;
    const std::string pair = pair_text(comparison) + ": ";
    if (comparison.optimizer_differs) {
      audit_.warnings.push_back(pair + "the weights are equal, but the optimiser's state differs");
    }
    if (comparison.divergence) {
      audit_.warnings.push_back(pair +
                                "the results are equal, but the traces differ: the runs parted "
                                "on the way and met again");
    }
  }

  void read_settings(std::span<const RunResult> runs) {
    for (const RunResult& run : runs) {
      const auto settings = read_settings_of(run.environment_json);
      if (group_.settings.empty()) group_.settings = settings;
      for (const Setting& setting : settings) {
        if (setting.after == setting.before) continue;
        audit_.warnings.push_back(run.record.name + ": " + displayable(setting.name) +
                                  " was not restored: " + displayable(setting.before) + " before, " +
                                  displayable(setting.after) + " after");
      }
      if (run.record.first_nan_step) {
        audit_.warnings.push_back(run.record.name + ": the loss is not finite from step " +
                                  std::to_string(*run.record.first_nan_step) +
                                  " on; equal weights would prove nothing");
      }
    }
  }

  AuditResult& audit_;
  GroupResult group_;
  std::size_t first_run_ = 0;
};

// A run whose second prediction pass differs from its first has parted with itself.
Divergence of_passes(const RunResult& run) {
  Divergence out;
  out.step = run.record.steps;
  out.epoch = run.record.epochs;
  out.phase = Phase::validation;
  out.tensor = "predictions.pass2";
  out.note = "pass 2 of the predictions differs from pass 1";
  return out;
}

// The earliest divergence in the groups that decide: the deterministic ones if there are any, else all.
void find_first_divergence(AuditResult& audit, const std::vector<PlannedGroup>& planned) {
  const bool any_deterministic = std::ranges::any_of(planned, &PlannedGroup::deterministic);
  const auto decides = [&](const std::string& name) {
    const auto group = std::ranges::find(planned, name, &PlannedGroup::name);
    return group != planned.end() && (group->deterministic || !any_deterministic);
  };
  const auto take = [&](const Divergence& found, const std::string& of) {
    if (audit.first_divergence && audit.first_divergence->step <= found.step) return;
    audit.first_divergence = found;
    audit.first_divergence_of = of;
  };
  for (const Comparison& comparison : audit.comparisons) {
    if (!decides(comparison.group) || !comparison.divergence) continue;
    take(*comparison.divergence, pair_text(comparison));
  }
  for (const RunResult& run : audit.runs) {
    if (decides(run.group) && !run.passes_identical) take(of_passes(run), run.record.name);
  }
}

// The run with the fault of --prove against the reference of the last group.
void read_proof(AuditResult& audit, const fs::path& directory) {
  const fs::path folder = proof_directory(directory);
  if (audit.groups.empty() || !fs::exists(folder / "request.json")) return;
  const RunRequest request = read_request(folder);
  if (!request.injection) return;
  const Injection& fault = *request.injection;
  Proof proof;
  proof.run = request.name();
  proof.fault = text_of(fault);
  const RunResult run = read_run(folder, request.group, request.index);
  proof.finished = finished(run);
  proof.message = run.record.message;
  const GroupResult& group = audit.groups.back();
  if (proof.finished && group.reference) {
    const RunResult& first = *std::ranges::find_if(
        audit.runs, [&](const RunResult& r) { return r.group == group.name && r.index == *group.reference; });
    const Reference reference{first, RunSnapshot(first.directory), trace_of(first)};
    const Comparison found = compare(reference, run, RunSnapshot(folder), Rule{}, Filter{});
    proof.judged_different = found.diff.verdict == Verdict::different;
    proof.divergence = found.divergence;
    // Without traces of the real runs there is nothing to locate it in.
    proof.located = !reference.trace ||
                    (found.divergence && found.divergence->step == fault.step &&
                     found.divergence->phase == fault.phase && found.divergence->tensor == fault.target);
  }
  audit.proof = std::move(proof);
}

void find_determinism_cost(AuditResult& audit) {
  const auto step_seconds = [&](std::string_view name) {
    const auto group = std::ranges::find(audit.groups, name, &GroupResult::name);
    return group == audit.groups.end() ? 0.0 : group->step_seconds;
  };
  const double off = step_seconds("default");
  const double on = step_seconds("deterministic");
  if (off > 0 && on > 0) audit.determinism_cost = on / off;
}

}  // namespace

AuditResult assemble(const fs::path& directory, const fs::path& shown_directory) {
  const AuditHeader header = read_header(directory);
  AuditResult audit;
  audit.directory = shown_directory;
  audit.version = header.tool_version;
  audit.argv = header.argv;
  audit.started = header.started;
  audit.ended = header.ended;
  audit.device = header.device;
  audit.device_line = header.device_line;
  audit.rule = parse_rule(header.rule);
  audit.filter = header.filter;
  audit.isolation = header.isolation;
  audit.warnings = header.warnings;
  audit.spec_json = read_text_file(directory / "spec.json");
  audit.environment_json = read_text_file(directory / "environment.json");
  audit.name = decode_spec(audit.spec_json, "spec").name;
  for (const PlannedGroup& planned : header.groups) {
    GroupAssembly group(audit, planned, header.runs);
    group.add_runs(directory);
    group.finish();
  }
  find_first_divergence(audit, header.groups);
  find_determinism_cost(audit);
  read_proof(audit, directory);
  audit.localization = read_localization(directory);
  return audit;
}

}  // namespace repro

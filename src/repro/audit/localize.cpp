#include "repro/audit/localize.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "repro/audit/assemble.h"
#include "repro/audit/directory.h"
#include "repro/audit/run_executor.h"
#include "repro/audit/trace_files.h"
#include "repro/base/text.h"
#include "repro/compare/diff.h"
#include "repro/run/json_fields.h"
#include "repro/snapshot/safetensors.h"

namespace repro {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format = "repro-train/localization";
constexpr std::int64_t version = 1;
constexpr std::int64_t most_attempts = 3;

fs::path folder_of(const fs::path& audit) { return audit / "localize"; }
fs::path attempt_folder(const fs::path& audit, std::int64_t attempt) {
  return folder_of(audit) / ("attempt-" + std::to_string(attempt));
}
fs::path kept_tensor(const fs::path& run) { return run / "first_difference.safetensors"; }

// The comparison that is repeated: of a deciding group if one of those differs.
const Comparison* differing(const AuditResult& audit) {
  const auto differs = [](const Comparison& c) {
    return c.diff.verdict == Verdict::different || c.divergence.has_value();
  };
  for (const Comparison& c : audit.comparisons) {
    if (pair_text(c) == audit.first_divergence_of && differs(c)) return &c;
  }
  const auto found = std::ranges::find_if(audit.comparisons, differs);
  return found == audit.comparisons.end() ? nullptr : &*found;
}

RunRequest request_of(const fs::path& audit, const std::string& group, std::int64_t index) {
  RunRequest request = read_request(run_directory(audit, group, index));
  request.trace = TraceLevel::ops;
  request.save_optimizer = false;
  return request;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  const bool ours = fs::exists(folder / "localize.json", error) && !fs::is_symlink(folder, error);
  if (ours) fs::remove_all(folder, error);
  if (fs::exists(fs::symlink_status(folder, error)) && !fs::is_empty(folder, error)) {
    throw Error(ErrorKind::request,
                displayable(folder.string()) + " holds something that is not an earlier localization",
                "move it away");
  }
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::unavailable,
                "cannot make " + displayable(folder.string()) + ": " + error.message());
  }
}

// One localization while it runs.
class Localizer {
 public:
  Localizer(const fs::path& audit, const Comparison& comparison, const ExecuteOptions& options,
            AuditObserver& observer)
      : audit_(audit),
        reference_(request_of(audit, comparison.group, comparison.reference)),
        candidate_(request_of(audit, comparison.group, comparison.candidate)),
        group_{comparison.group, reference_.deterministic, reference_.warn_only},
        plan_(plan_for(reference_, group_)),
        runs_(plan_, options, observer) {
    found_.group = comparison.group;
    found_.reference = comparison.reference;
    found_.candidate = comparison.candidate;
  }

  void run() {
    make_folder(folder_of(audit_));
    write();  // first: what is in the folder is ours
    try {
      runs_.start(group_);
      while (found_.attempts < most_attempts && found_.shown == 0) attempt();
    } catch (const Interrupted&) {
      runs_.stop();
      throw;
    }
    write();
  }

 private:
  // The audit's own conditions, as its runs had them.
  static AuditPlan plan_for(const RunRequest& request, const PlannedGroup& group) {
    AuditPlan plan;
    plan.spec = request.spec;
    plan.spec.execution.device = request.device;
    plan.spec.execution.threads = request.threads;
    plan.spec_folder = request.spec_folder;
    plan.groups = {group};
    return plan;
  }

  void attempt() {
    const fs::path folder = attempt_folder(audit_, ++found_.attempts);
    if (!train(reference_, folder / "reference", {})) return;
    if (!train(candidate_, folder / "candidate", folder / "reference")) return;
    if (diff_traces(read_trace_of(folder / "reference"), read_trace_of(folder / "candidate")).verdict !=
        Verdict::different) {
      return;
    }
    ++found_.shown;
    train(reference_, folder / "again", folder / "candidate");
  }

  bool train(RunRequest request, const fs::path& directory, const fs::path& part_from) {
    if (!part_from.empty()) request.part_from = fs::absolute(part_from / "trace.bin").string();
    const std::int64_t most = 3 * most_attempts;
    const RunRecord record = runs_.run(group_, std::move(request), directory, ++number_, most);
    if (record.status == RunStatus::finished) return true;
    found_.failure = record.message;
    return false;
  }

  void write() const {
    const Json json = {{"format", format},
                       {"version", version},
                       {"group", found_.group},
                       {"reference", found_.reference},
                       {"candidate", found_.candidate},
                       {"attempts", found_.attempts},
                       {"shown", found_.shown},
                       {"failure", found_.failure}};
    write_file(folder_of(audit_) / "localize.json", json.dump(2) + "\n");
  }

  const fs::path audit_;
  const RunRequest reference_, candidate_;
  const PlannedGroup group_;
  const AuditPlan plan_;
  RunExecutor runs_;
  Localization found_;
  std::int64_t number_ = 0;
};

// The two versions of the first differing tensor, if the reference's repetition parted at the same place with
// the value that its first run had there.
void read_first_tensor(Localization& found, const fs::path& folder) {
  const fs::path again = folder / "again";
  found.tensor_note = "the third run parted elsewhere";
  if (!fs::exists(kept_tensor(folder / "candidate")) || !fs::exists(kept_tensor(again))) {
    if (fs::exists(again / "trace.bin")) {
      const TraceDiff third = diff_traces(read_trace_of(folder / "candidate"), read_trace_of(again));
      if (third.verdict == Verdict::identical) found.tensor_note = "the third run was equal to the candidate";
    }
    return;
  }
  const auto third = diff_traces(read_trace_of(again), read_trace_of(folder / "candidate")).divergence;
  const Divergence& first = *found.divergence;
  const bool same_place = third && third->step == first.step && third->phase == first.phase &&
                          third->kind == first.kind && third->layer == first.layer &&
                          third->operation == first.operation && third->tensor == first.tensor;
  if (!same_place) return;
  const SafetensorsFile reference(kept_tensor(again)), candidate(kept_tensor(folder / "candidate"));
  if (reference.tensors().size() != 1 || candidate.tensors().size() != 1) return;
  found.tensor_note.clear();
  found.tensor = diff_tensors(first.tensor, reference.tensors()[0].tensor, candidate.tensors()[0].tensor, {});
  found.reference_file = kept_tensor(again);
  found.candidate_file = kept_tensor(folder / "candidate");
}

}  // namespace

bool localize(const fs::path& directory, const ExecuteOptions& options, AuditObserver& observer) {
  if (read_header(directory).state == AuditState::running) {
    throw Error(ErrorKind::request, displayable(directory.string()) + " is an audit that has not ended");
  }
  const AuditResult audit = assemble(directory, directory);
  const Comparison* comparison = differing(audit);
  if (comparison == nullptr) return false;
  Localizer(directory, *comparison, options, observer).run();
  return true;
}

std::optional<Localization> read_localization(const fs::path& audit_directory) {
  const fs::path file = folder_of(audit_directory) / "localize.json";
  if (!fs::exists(file)) return std::nullopt;
  const JsonFields fields(read_text_file(file), displayable(file.string()), format, version);
  Localization found;
  found.group = fields.text("group");
  found.reference = fields.integer("reference", 0);
  found.candidate = fields.integer("candidate", 0);
  found.attempts = fields.integer("attempts", 0);
  found.shown = fields.integer("shown", 0);
  found.failure = fields.text("failure");
  if (found.shown == 0) return found;
  const fs::path folder = attempt_folder(audit_directory, found.attempts);
  found.divergence =
      diff_traces(read_trace_of(folder / "reference"), read_trace_of(folder / "candidate")).divergence;
  if (found.divergence) read_first_tensor(found, folder);
  return found;
}

}  // namespace repro

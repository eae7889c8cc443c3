#include "repro/audit/diff_side.h"

#include "repro/audit/directory.h"
#include "repro/audit/run_files.h"
#include "repro/base/error.h"
#include "repro/base/text.h"

namespace repro {
namespace {

class CheckpointSide : public OpenedSide {
 public:
  CheckpointSide(const fs::path& path, const OpenOptions& options)
      : checkpoint_(open_checkpoint(path, options)) {
    format = name_of(checkpoint_.format);
    items = std::move(checkpoint_.items);
    holds_leaves = checkpoint_.holds_leaves;
    remarks = checkpoint_.remarks;
    metadata = std::move(checkpoint_.metadata);
  }
  void check_unchanged() const override { checkpoint_.check_unchanged(); }

 private:
  Checkpoint checkpoint_;
};

// The files of a finished run have the hashes that its result.json lists when this is made.
class RunSide : public OpenedSide {
 public:
  explicit RunSide(const fs::path& directory) : snapshot_(directory) {
    format = "run";
    items = snapshot_.items();
  }
  void check_unchanged() const override { snapshot_.check_unchanged(); }

 private:
  RunSnapshot snapshot_;
};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void require_finished(const fs::path& directory) {
  const RunResult run = read_run(directory, "", 0);
  if (run.record.status == RunStatus::finished) return;
  throw Error(ErrorKind::input,
              displayable(directory.string()) + ": this run has not finished" +
                  (run.record.message.empty() ? "" : ": " + displayable(run.record.message)),
              "only finished runs have weights to compare");
}

}  // namespace

PathKind kind_of_path(const fs::path& path) {
  if (is_there(path / "audit.json")) return PathKind::audit;
  return is_there(path / "request.json") || is_there(path / "result.json") ? PathKind::run
                                                                           : PathKind::checkpoint;
}

std::shared_ptr<OpenedSide> open_side(const fs::path& path, const std::string& name,
                                      const OpenOptions& options) {
  std::shared_ptr<OpenedSide> side;
  if (kind_of_path(path) == PathKind::run) {
    if (!options.key.empty()) {
      throw Error(ErrorKind::request,
                  "--key: " + displayable(name) + " is a run of an audit, which has no keys");
    }
    require_finished(path);
    side = std::make_shared<RunSide>(path);
  } else {
    side = std::make_shared<CheckpointSide>(path, options);
  }
  side->name = name;
  return side;
}

std::vector<std::string> run_names(const fs::path& audit_directory) {
  const AuditHeader header = read_header(audit_directory);
  std::vector<std::string> names;
  for (const PlannedGroup& group : header.groups) {
    for (std::int64_t k = 0; k < header.runs; ++k) names.push_back(group.name + "-" + std::to_string(k));
  }
  return names;
}

}  // namespace repro

#include "repro/gate/gate.h"

#include <algorithm>
#include <string_view>

#include "repro/base/text.h"

namespace repro {
namespace {

// `name` is `kind`, or ends in "-" and `kind` (as in "portable-deterministic").
bool is_of_kind(const std::string& name, std::string_view kind) {
  if (!name.ends_with(kind)) return false;
  return name.size() == kind.size() || name[name.size() - kind.size() - 1] == '-';
}

std::vector<const RunResult*> runs_of(const AuditResult& audit, const GroupResult& group) {
  std::vector<const RunResult*> runs;
  for (const RunResult& run : audit.runs) {
    if (run.group == group.name) runs.push_back(&run);
  }
  return runs;
}

bool is_finished(const RunResult& run) { return run.record.status == RunStatus::finished; }

std::int64_t finished_of(const AuditResult& audit, const GroupResult& group) {
  const auto runs = runs_of(audit, group);
  return std::count_if(runs.begin(), runs.end(), [](const auto* run) { return is_finished(*run); });
}

std::string failure_of(const RunResult& run) {
  std::string text = "run " + displayable(run.record.name) + " " +
                     (run.record.status == RunStatus::interrupted ? "was interrupted" : "failed");
  if (!run.record.message.empty()) text += ": " + displayable(run.record.message);
  return text;
}

// Why this comparison proves nothing; "" if it shows that the two are identical.
std::string doubt_about(const Comparison& comparison) {
  const std::string pair = displayable(pair_text(comparison));
  const SnapshotDiff& diff = comparison.diff;
  if (diff.verdict == Verdict::not_comparable) return pair + ": not comparable";
  for (const TensorDiff& tensor : diff.tensors) {
    if (tensor.kind != DifferenceKind::not_compared) continue;
    return pair + ": " + displayable(tensor.name) + " was not compared" +
           (tensor.reason.empty() ? "" : ": " + displayable(tensor.reason));
  }
  if (diff.values_compared == 0) return pair + ": not one value was compared";
  return diff.verdict == Verdict::identical ? "" : pair + ": no verdict";
}

// Everything that keeps the group from being identical although nothing differs.
GroupJudgement judge_equal_group(const AuditResult& audit, const GroupResult& group) {
  GroupJudgement out;
  const auto runs = runs_of(audit, group);
  const std::int64_t finished = finished_of(audit, group);
  for (const RunResult* run : runs) {
    if (is_finished(*run)) continue;
    out.run_failed = true;
    if (out.reason.empty()) out.reason = failure_of(*run);
  }
  const auto missing = [&](const std::string& text) {
    if (out.reason.empty()) out.reason = text;
  };
  if (std::ssize(runs) < group.runs) {
    missing("only " + std::to_string(runs.size()) + " of " + std::to_string(group.runs) + " runs of " +
            displayable(group.name) + " were started");
  }
  if (finished < 2) missing("fewer than two runs of " + displayable(group.name) + " finished");
  std::int64_t compared = 0;
  for (const Comparison& comparison : audit.comparisons) {
    if (comparison.group != group.name) continue;
    ++compared;
    const std::string doubt = doubt_about(comparison);
    if (doubt.empty()) continue;
    missing(doubt);
    if (comparison.diff.verdict == Verdict::not_comparable) out.verdict = Verdict::not_comparable;
  }
  if (compared + 1 < finished) {
    missing("a finished run of " + displayable(group.name) + " was not compared");
  }
  if (out.reason.empty()) out.verdict = Verdict::identical;
  return out;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string verdict_line(const AuditResult& audit, const Judgement& judgement) {
  std::vector<std::string> names;
  std::int64_t runs = 0;
  std::int64_t finished = 0;
  const GroupResult* first = nullptr;
  for (const GroupResult& group : audit.groups) {
    if (!decides(audit, group)) continue;
    names.push_back(displayable(group.name));
    runs += group.runs;
    finished += finished_of(audit, group);
    if (first == nullptr) first = &group;
  }
  std::vector<std::string> items = {names.empty() ? "no group" : join(names, " + "),
                                    displayable(audit.device)};
  items.push_back((finished == runs ? "" : std::to_string(finished) + " of ") +
                  counted(static_cast<std::uint64_t>(runs), "run"));
  items.push_back(counted(static_cast<std::uint64_t>(first ? first->tensors : 0), "tensor"));
  items.push_back(counted(static_cast<std::uint64_t>(first ? first->values : 0), "value"));
  if (audit.rule.type != Rule::Type::bitwise) items.push_back(rule_text(audit.rule));
  std::string line = "verdict: " + std::string(name_of(judgement.verdict)) + " (" + join(items, ", ") + ")";
  if (!judgement.reason.empty()) line += ": " + judgement.reason;
  return line;
}

int exit_code_of(Verdict verdict, Expectation expectation) {
  const bool expects_equal = expectation == Expectation::identical;
  switch (verdict) {
    case Verdict::identical: return expects_equal ? 0 : 1;
    case Verdict::different: return expects_equal ? 1 : 0;
    case Verdict::inconclusive:
    case Verdict::not_comparable: return 3;
  }
  return 3;
}

}  // namespace

bool is_default_group(const std::string& name) { return is_of_kind(name, "default"); }
bool is_deterministic_group(const std::string& name) { return is_of_kind(name, "deterministic"); }

bool decides(const AuditResult& audit, const GroupResult& group) {
  const auto any = [&](auto is_kind) {
    return std::any_of(audit.groups.begin(), audit.groups.end(),
                       [&](const GroupResult& other) { return is_kind(other.name); });
  };
  const bool both = any(is_default_group) && any(is_deterministic_group);
  return !both || is_deterministic_group(group.name);
}

ProofState proof_state(const AuditResult& audit, Verdict verdict) {
  if (!audit.proof) return ProofState::none;
  if (verdict != Verdict::identical || !audit.proof->finished) return ProofState::not_possible;
  return audit.proof->judged_different && audit.proof->located ? ProofState::made : ProofState::failed;
}

GroupJudgement judge_group(const AuditResult& audit, const GroupResult& group) {
  GroupJudgement out = judge_equal_group(audit, group);
  bool proven = false;
  for (const Comparison& comparison : audit.comparisons) {
    proven |= comparison.group == group.name && comparison.diff.verdict == Verdict::different;
  }
  for (const RunResult* run : runs_of(audit, group)) {
    proven |= is_finished(*run) && !run->passes_identical;
  }
  if (proven) {
    out.verdict = Verdict::different;
    out.reason.clear();
  }
  return out;
}

Judgement judge(const AuditResult& audit, Expectation expectation) {
  Judgement out;
  out.expectation = expectation;
  bool all_identical = true;
  bool some_different = false;
  bool some_group = false;
  for (const GroupResult& group : audit.groups) {
    if (!decides(audit, group)) continue;
    const GroupJudgement judged = judge_group(audit, group);
    some_group = true;
    out.run_failed |= judged.run_failed;
    some_different |= judged.verdict == Verdict::different;
    all_identical &= judged.verdict == Verdict::identical;
    if (!judged.reason.empty() && out.reason.empty()) {
      out.reason = judged.reason;
      out.verdict = judged.verdict;
    }
  }
  if (some_different) {
    out.verdict = Verdict::different;
    out.reason.clear();
  } else if (some_group && all_identical) {
    out.verdict = Verdict::identical;
  } else if (!some_group) {
    out.reason = "nothing was run";
  }
  out.exit_code = exit_code_of(out.verdict, expectation);
  const ProofState proof = proof_state(audit, out.verdict);
  if (proof == ProofState::failed) out.exit_code = 5;
  // The proof that was asked for is missing: its run failed.
  if (proof == ProofState::not_possible && out.verdict == Verdict::identical) out.exit_code = 3;
  out.verdict_line = verdict_line(audit, out);
  return out;
}

}  // namespace repro

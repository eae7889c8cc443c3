#pragma once

#include <string>
#include <vector>

#include "repro/audit/result.h"

namespace repro {

enum class Expectation { identical, different };

// What the verdict is, which groups decided it, and the exit code for it (contract, "Exit codes"):
// 0, 1 or 3. Where the real runs are identical, 5 if the fault of --prove was not found, 3 if its run failed.
// With default and deterministic groups both there, the deterministic ones decide.
struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  int exit_code = 3;
  Expectation expectation = Expectation::identical;
  bool run_failed = false;  // some run of a deciding group failed or was interrupted
  std::string reason;       // no verdict, and why, in one line; "" for identical and different
  // "verdict: identical (deterministic, cpu, 2 runs, 14 tensors, 12609 values)"; a rule other than
  // bitwise is the last item; a reason follows after a colon.
  std::string verdict_line;
};
// Pure. The verdicts that audit.groups carry are not read: only runs and comparisons are evidence.
Judgement judge(const AuditResult& audit, Expectation expectation);

// What the run with a fault says about the auditor.
enum class ProofState {
  none,          // there was none
  made,          // the real runs are identical, and the fault was found where it is
  failed,        // the real runs are identical, and it was not
  not_possible,  // the real runs differ, or there is no verdict, or the run with the fault failed
};
ProofState proof_state(const AuditResult& audit, Verdict verdict);

// One group judged by its runs and comparisons. A proven difference (a comparison, or a run whose two
// prediction passes differ) wins over anything missing; identical needs every run that was asked for,
// each compared with the reference, and at least one value in each comparison.
struct GroupJudgement {
  Verdict verdict = Verdict::inconclusive;
  bool run_failed = false;
  std::string reason;  // as Judgement::reason
};
GroupJudgement judge_group(const AuditResult& audit, const GroupResult& group);

// Whether the group's comparisons decide.
bool decides(const AuditResult& audit, const GroupResult& group);

// "default" and "x-default"; "deterministic" and "x-deterministic".
bool is_default_group(const std::string& name);
bool is_deterministic_group(const std::string& name);

}  // namespace repro

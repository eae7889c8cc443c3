#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repro/audit/result.h"
#include "repro/gate/gate.h"

namespace repro {

// What several renderings say in the same words. Texts hold raw names; whoever writes them into a
// document escapes them.

// A group as the summary table shows it. Statistics run over all comparisons of the group and over what
// the table counts: learnables (scope buffers: buffers; foreign files: everything).
struct GroupFacts {
  const GroupResult* group = nullptr;  // of the audit, which must outlive this
  GroupJudgement judged;
  bool decides = false;
  std::uint64_t different = 0;            // values whose bits differ
  std::uint64_t different_elsewhere = 0;  // in tensors that the table does not count
  std::optional<double> max_abs;          // absent if no pair of finite numbers was compared
  std::optional<std::uint64_t> max_ulp;
  std::uint64_t nan_mismatches = 0;
  std::uint64_t ignored = 0;                  // tensors left out, the largest of the comparisons
  const Comparison* first_parting = nullptr;  // whose divergence is the earliest; may be null
};
std::vector<GroupFacts> group_facts(const AuditResult& audit);

// One statement about the audit (or a comparison), in the order in which reports show them.
struct Note {
  enum class Kind {
    determinism,
    cost,
    divergence,
    operation,  // what localize found
    proof,      // what --prove says
    alert,      // warn mode
    runs,
    failure,
    ignored,
    warning,
    hint,   // of `diff`: what the user may want to try
    remark  // of `diff`: a fact about a file
  } kind = Kind::warning;
  std::string text;
  std::vector<std::string> details;  // lines of a log
};
std::vector<Note> notes_of(const AuditResult& audit);
std::string_view label_of(Note::Kind kind);  // "determinism", "first divergence", ...; "" for runs

// "off -> on -> off (restored)", or "(unchanged)", "(NOT restored)"; nothing without the setting
// "algorithms".
std::optional<std::string> determinism_text(const GroupResult& group);
std::string on_off(const std::string& value);  // "true" and "1" -> "on", "false" and "0" -> "off"
// The largest rate of deviating runs that `runs` equal runs leave open with 95 % confidence:
// the p with (1 - p)^runs = 0.05.
double undetected_rate(std::int64_t runs);
bool is_counted(Role role, const Filter& filter);  // by the summary table
const RunResult* find_run(const AuditResult& audit, const std::string& group, std::int64_t index);

}  // namespace repro

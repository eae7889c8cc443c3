// The statements of facts.h: what was in force, what it cost, where runs parted, what went wrong.
#include <algorithm>
#include <map>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/divergence_text.h"
#include "repro/report/facts.h"
#include "repro/report/known_cause.h"
#include "repro/report/localization.h"

namespace repro {
namespace {

using Notes = std::vector<Note>;
using Kind = Note::Kind;

void add(Notes& notes, Kind kind, std::string text, std::vector<std::string> details = {}) {
  notes.push_back({kind, std::move(text), std::move(details)});
}

void add_determinism(Notes& notes, const AuditResult& audit) {
  for (const GroupResult& group : audit.groups) {
    const auto text = determinism_text(group);
    if (!text) continue;
    add(notes, Kind::determinism, *text + (audit.groups.size() > 1 ? ", " + group.name : ""));
  }
}

void add_cost(Notes& notes, const AuditResult& audit) {
  if (!audit.determinism_cost) return;
  add(notes, Kind::cost,
      "determinism costs " + rounded(*audit.determinism_cost, 3) + " times the step time (median)");
}

// The place on one line, which runs and what is around it below: together they are wide.
void add_divergence(Notes& notes, const AuditResult& audit, const Divergence& divergence,
                    const std::string& of) {
  std::vector<std::string> details;
  if (!of.empty()) details.push_back(of);
  for (const auto& [label, text] : divergence_details(divergence)) details.push_back(label + ": " + text);
  const std::string group = of.substr(0, of.find(' '));  // "default-1 against default-0"
  const std::string cause = known_cause_text(audit, group.substr(0, group.rfind('-')), divergence);
  if (!cause.empty()) details.push_back("cause known: " + cause);
  add(notes, Kind::divergence, divergence_text(divergence), std::move(details));
}

void add_divergences(Notes& notes, const AuditResult& audit, const std::vector<GroupFacts>& groups) {
  const auto shown = [&](const GroupFacts& facts) {
    return facts.first_parting != nullptr && pair_text(*facts.first_parting) == audit.first_divergence_of;
  };
  if (audit.first_divergence && std::none_of(groups.begin(), groups.end(), shown)) {
    add_divergence(notes, audit, *audit.first_divergence, audit.first_divergence_of);
  }
  for (const GroupFacts& facts : groups) {
    if (facts.first_parting == nullptr) continue;
    add_divergence(notes, audit, *facts.first_parting->divergence, pair_text(*facts.first_parting));
  }
}

// What localize found, or how to use it.
void add_localization(Notes& notes, const AuditResult& audit) {
  if (audit.localization) {
    std::vector<std::string> details;
    for (const auto& [label, text] : localization_details(audit)) {
      details.push_back(label + ": " + text);
    }
    return add(notes, Kind::operation, localization_text(*audit.localization), std::move(details));
  }
  const bool states_only =
      std::ranges::any_of(audit.comparisons, [](const Comparison& c) { return c.divergence.has_value(); }) &&
      std::ranges::none_of(audit.groups, &GroupResult::traced_operations);
  if (states_only) {
    add(notes, Kind::hint, "repro-train localize " + audit.directory.string() + " finds the operation");
  }
}

void add_proof(Notes& notes, const AuditResult& audit) {
  if (!audit.proof) return;
  const ProofState state = proof_state(audit, judge(audit, Expectation::identical).verdict);
  add(notes, Kind::proof, proof_text(*audit.proof, state));
}

// Alerts of warn mode: operation and message -> in which layers, from which step on, how often.
void add_alerts(Notes& notes, const AuditResult& audit) {
  struct Total {
    std::string runs;
    std::int64_t first_step = 0, count = 0;
  };
  std::vector<std::pair<std::string, Total>> totals;
  for (const RunResult& run : audit.runs) {
    for (const AlertRow& alert : run.alerts) {
      std::string text(name_of(alert.phase));
      if (!alert.layer.empty()) text += ", layer " + alert.layer;
      text += ", " + alert.operation + ": " + alert.message;
      auto found = std::ranges::find(totals, text, &std::pair<std::string, Total>::first);
      if (found == totals.end()) found = totals.insert(found, {text, {run.record.name, alert.step, 0}});
      found->second.count += alert.count;
      found->second.first_step = std::min(found->second.first_step, alert.step);
    }
  }
  for (const auto& [text, total] : totals) {
    add(notes, Kind::alert, text,
        {plural(total.count, "time") + " in all runs, from step " + thousands(total.first_step) + " of " +
         total.runs + " on"});
  }
}

std::string percent(double rate) { return rounded(100 * rate, 2) + " %"; }

// With three or more finished runs: distinct results, the odd one out, and what N runs can exclude.
void add_run_counts(Notes& notes, const GroupFacts& facts) {
  const GroupResult& group = *facts.group;
  if (group.finished < 3) return;
  const std::string runs = thousands(group.finished);
  if (group.distinct <= 1) {
    add(notes, Kind::runs,
        group.name + ": " + runs + " equal runs; a deviation in " + percent(undetected_rate(group.finished)) +
            " of runs or more would have shown with 95 % confidence, a rarer one may remain");
    return;
  }
  std::vector<std::string> odd;
  for (const std::int64_t index : group.odd_ones) odd.push_back(run_name(group.name, index));
  std::string text =
      group.name + ": " + thousands(group.distinct) + " distinct results in " + runs + " runs; ";
  if (odd.empty()) {
    text += "no majority";
  } else if (odd.size() == 1) {
    text += "the odd one out is " + odd[0];
  } else {
    const std::size_t shown = std::min<std::size_t>(odd.size(), 5);
    text += "outside the majority: " + join(std::span(odd).first(shown), ", ");
    if (odd.size() > shown) text += " and " + plural(std::ssize(odd) - 5, "other");
  }
  add(notes, Kind::runs, text);
}

void add_runs(Notes& notes, const AuditResult& audit, const std::vector<GroupFacts>& groups) {
  for (const GroupFacts& facts : groups) {
    add_run_counts(notes, facts);
    const GroupResult& group = *facts.group;
    if (group.reference && *group.reference != 0) {
      add(notes, Kind::runs,
          run_name(group.name, 0) + " did not finish: the reference of " + group.name + " is " +
              run_name(group.name, *group.reference));
    }
    if (facts.different_elsewhere > 0) {
      add(notes, Kind::runs,
          group.name + ": " + thousands(facts.different_elsewhere) +
              " more values differ in tensors that the table does not count (buffers, predictions)");
    }
    if (facts.nan_mismatches > 0) {
      add(notes, Kind::runs,
          group.name + ": " + thousands(facts.nan_mismatches) +
              " values are NaN on one side or NaN with other bits; the maxima leave them out");
    }
    if (facts.ignored > 0) {
      add(notes, Kind::ignored,
          group.name + ": " + plural(static_cast<std::int64_t>(facts.ignored), "tensor") +
              " left out by --only, --ignore or --scope");
    }
  }
  for (const RunResult& run : audit.runs) {
    if (run.record.status == RunStatus::finished) continue;
    const bool interrupted = run.record.status == RunStatus::interrupted;
    notes.push_back({Kind::failure,
                     "run " + run.record.name + (interrupted ? " was interrupted" : " failed") +
                         (run.record.message.empty() ? "" : ": " + run.record.message),
                     run.log_tail});
  }
}

// Text -> the runs that say it, in the order of first mention.
void add_run_warnings(Notes& notes, const AuditResult& audit) {
  std::vector<std::string> texts;
  std::map<std::string, std::vector<std::string>> runs_of;
  const auto say = [&](const RunResult& run, const std::string& text) {
    auto& runs = runs_of[text];
    if (runs.empty()) texts.push_back(text);
    runs.push_back(run.record.name);
  };
  for (const RunResult& run : audit.runs) {
    for (const std::string& warning : run.record.warnings) say(run, warning);
    if (!run.passes_identical) {
      say(run, "the two prediction passes over the same test images differ (validation)");
    }
  }
  for (const std::string& text : texts) {
    const auto& runs = runs_of[text];
    const bool all = runs.size() == audit.runs.size() && runs.size() > 1;
    add(notes, Kind::warning, (all ? "all runs" : join(runs, ", ")) + ": " + text);
  }
}

void add_warnings(Notes& notes, const AuditResult& audit) {
  for (const std::string& warning : audit.warnings) add(notes, Kind::warning, warning);
  add_run_warnings(notes, audit);
}

}  // namespace

std::string_view label_of(Note::Kind kind) {
  switch (kind) {
    case Kind::determinism: return "determinism";
    case Kind::cost: return "cost";
    case Kind::divergence: return "first divergence";
    case Kind::operation: return "first operation";
    case Kind::proof: return "proof";
    case Kind::alert: return "alert";
    case Kind::runs: return "";
    case Kind::failure: return "";
    case Kind::ignored: return "ignored";
    case Kind::warning: return "warning";
    case Kind::hint: return "hint";
    case Kind::remark: return "";
  }
  return "";
}

std::vector<Note> notes_of(const AuditResult& audit) {
  Notes notes;
  const std::vector<GroupFacts> groups = group_facts(audit);
  add_determinism(notes, audit);
  add_cost(notes, audit);
  add_divergences(notes, audit, groups);
  add_localization(notes, audit);
  add_proof(notes, audit);
  add_alerts(notes, audit);
  add_runs(notes, audit, groups);
  add_warnings(notes, audit);
  return notes;
}

}  // namespace repro

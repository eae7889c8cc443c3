#include "repro/report/facts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/comparison_view.h"
#include "repro/report/report.h"

namespace repro {
namespace {

template <class T>
void raise(std::optional<T>& largest, const std::optional<T>& value) {
  if (value && (!largest || *value > *largest)) largest = value;
}

auto place_of(const Divergence& divergence) {
  return std::tuple(divergence.step, static_cast<int>(divergence.phase));
}

void add_comparison(GroupFacts& facts, const Comparison& comparison, const Filter& filter) {
  for (const TensorDiff& tensor : comparison.diff.tensors) {
    if (!is_counted(tensor.role, filter)) {
      facts.different_elsewhere += tensor.different;
      continue;
    }
    facts.different += tensor.different;
    facts.nan_mismatches += tensor.nan_mismatches();
    raise(facts.max_abs, tensor.max_abs());
    raise(facts.max_ulp, tensor.max_ulp());
  }
  facts.ignored = std::max(facts.ignored, comparison.diff.ignored);
  if (comparison.divergence &&
      (facts.first_parting == nullptr ||
       place_of(*comparison.divergence) < place_of(*facts.first_parting->divergence))) {
    facts.first_parting = &comparison;
  }
}

}  // namespace

std::vector<GroupFacts> group_facts(const AuditResult& audit) {
  std::vector<GroupFacts> all;
  for (const GroupResult& group : audit.groups) {
    GroupFacts facts;
    facts.group = &group;
    facts.judged = judge_group(audit, group);
    facts.decides = decides(audit, group);
    for (const Comparison& comparison : audit.comparisons) {
      if (comparison.group == group.name) add_comparison(facts, comparison, audit.filter);
    }
    all.push_back(std::move(facts));
  }
  return all;
}

bool is_counted(Role role, const Filter& filter) {
  if (filter.scope == Filter::Scope::buffers) return role == Role::buffer;
  return role == Role::learnable || role == Role::none;
}

std::string on_off(const std::string& value) {
  if (value == "true" || value == "1") return "on";
  if (value == "false" || value == "0") return "off";
  return value;
}

std::optional<std::string> determinism_text(const GroupResult& group) {
  for (const Setting& setting : group.settings) {
    if (setting.name != "algorithms") continue;
    const std::string before = on_off(setting.before);
    const std::string in_force = on_off(setting.in_force);
    const std::string after = on_off(setting.after);
    const std::string_view ending = before != after      ? " (NOT restored)"
                                    : before == in_force ? " (unchanged)"
                                                         : " (restored)";
    return before + " -> " + in_force + " -> " + after + std::string(ending);
  }
  return std::nullopt;
}

double undetected_rate(std::int64_t runs) { return 1 - std::pow(0.05, 1 / static_cast<double>(runs)); }

const RunResult* find_run(const AuditResult& audit, const std::string& group, std::int64_t index) {
  for (const RunResult& run : audit.runs) {
    if (run.group == group && run.index == index) return &run;
  }
  return nullptr;
}

std::string first_learnable(const AuditResult& audit) { return first_learnable(views_of(audit)); }

}  // namespace repro

#include "repro/report/partings.h"

#include <algorithm>

#include "repro/base/text.h"
#include "repro/report/divergence_text.h"
#include "repro/report/known_cause.h"

namespace repro {
namespace {

constexpr std::size_t most_partings = 5;

std::vector<std::pair<std::string, std::string>> details_of(const AuditResult& audit,
                                                            const Comparison& comparison) {
  auto details = divergence_details(*comparison.divergence);
  const std::string cause = known_cause_text(audit, comparison.group, *comparison.divergence);
  if (!cause.empty()) details.emplace_back("cause known", cause);
  return details;
}

}  // namespace

Partings partings_of(const AuditResult& audit) {
  Partings out;
  const std::vector<GroupFacts> groups = group_facts(audit);
  for (const GroupFacts& facts : groups) {
    if (facts.first_parting == nullptr || out.shown.size() == most_partings) continue;
    const Comparison& comparison = *facts.first_parting;
    out.shown.push_back({pair_text(comparison), facts.decides, &*comparison.divergence,
                         comparison.difference_map ? &*comparison.difference_map : nullptr,
                         details_of(audit, comparison)});
  }
  const auto parted = std::ranges::count_if(
      audit.comparisons, [](const Comparison& comparison) { return comparison.divergence.has_value(); });
  out.left_out = static_cast<std::uint64_t>(parted) - out.shown.size();
  // A run can part with itself as well: its two prediction passes.
  const bool known = std::ranges::any_of(audit.comparisons, [&](const Comparison& comparison) {
    return comparison.divergence && pair_text(comparison) == audit.first_divergence_of;
  });
  if (audit.first_divergence && !known) {
    out.shown.insert(out.shown.begin(), {audit.first_divergence_of, true, &*audit.first_divergence, nullptr});
  }
  return out;
}

std::vector<Note> notes_beside_partings(const AuditResult& audit) {
  std::vector<Note> notes = notes_of(audit);
  for (Note& note : notes) {
    const bool has_pair = note.kind == Note::Kind::divergence;
    if (has_pair && note.details.size() > 1) note.details.resize(1);
    if (note.kind == Note::Kind::operation) note.details.clear();
  }
  return notes;
}

std::string map_summary(const DifferenceMap& map) {
  if (map.steps.empty()) return "no step to compare";
  const std::string range = thousands(static_cast<std::uint64_t>(map.steps.front())) + " to " +
                            thousands(static_cast<std::uint64_t>(map.last_step));
  const std::uint64_t different = map.rows.size() + map.rows_left_out;
  const std::uint64_t all = different + map.rows_equal;
  if (different == 0) {
    return "none of the " + plural(static_cast<std::int64_t>(all), "state") +
           " that both have differs in steps " + range;
  }
  const auto first = std::ranges::min(map.rows, {}, &DifferenceMap::Row::first_different).first_different;
  return thousands(different) + " of " + plural(static_cast<std::int64_t>(all), "state") +
         (different == 1 ? " differs" : " differ") + " in some step of " + range + ", the first in step " +
         thousands(static_cast<std::uint64_t>(first));
}

}  // namespace repro

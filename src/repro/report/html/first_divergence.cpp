// Where runs parted: the place, what is known of it, what stands around it, and which states differ from
// there on.
#include "repro/base/text.h"
#include "repro/report/divergence_text.h"
#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/localization.h"
#include "repro/report/partings.h"

namespace repro::html {
namespace {

using Details = std::vector<std::pair<std::string, std::string>>;

std::string fact_list(const Details& details) {
  std::string out;
  for (const auto& [label, text] : details) {
    out += "<dt>" + html_text(label) + "</dt><dd>" + html_text(text) + "</dd>\n";
  }
  return out.empty() ? "" : "<dl class=\"facts\">\n" + out + "</dl>\n";
}

std::string cell(const std::string& name) { return "<td>" + (name.empty() ? "" : code(name)) + "</td>"; }

std::string_view css_class_of(Neighbour::State state) {
  switch (state) {
    case Neighbour::State::equal: return "mark-equal";
    case Neighbour::State::different: return "mark-different";
    case Neighbour::State::only_reference:
    case Neighbour::State::only_candidate: return "mark-one-sided";
  }
  return "";
}

std::string neighbour_row(const Neighbour& neighbour, bool here) {
  const TraceSlot& slot = neighbour.slot;
  return std::string(here ? "<tr class=\"here\" aria-current=\"true\">" : "<tr>") + "<td class=\"" +
         std::string(css_class_of(neighbour.state)) + "\"><b>" + mark_of(neighbour.state) + "</b> " +
         std::string(words_for(neighbour.state)) + "</td><td>" + std::string(name_of(slot.phase)) + "</td>" +
         cell(slot.layer) + cell(slot.operation) + cell(tensor_text(slot)) + "<td>" +
         html_text(layout_text(slot)) + "</td></tr>\n";
}

std::string neighbour_table(const Divergence& divergence) {
  if (divergence.neighbours.empty()) return "";
  std::string rows;
  for (std::size_t i = 0; i < divergence.neighbours.size(); ++i) {
    rows += neighbour_row(divergence.neighbours[i], i == divergence.at_neighbour);
  }
  return "<p class=\"quiet\">What was computed just before and after, in order; the place itself is set "
         "off.</p>\n<div class=\"scroll\"><table class=\"neighbours\">\n<thead><tr><th>fingerprints</th>"
         "<th>phase</th><th>layer</th><th>operation</th><th>tensor</th><th>memory</th></tr></thead>\n"
         "<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string headline(const std::string& text) { return "<p class=\"place\">" + html_text(text) + "</p>\n"; }

std::string legend() {
  const auto sample = [](const std::string& css_class, const std::string& text) {
    return "<span><svg viewBox=\"0 0 22 12\" aria-hidden=\"true\"><path class=\"" + css_class +
           "\" d=\"M1 6h20\"/></svg>" + text + "</span>";
  };
  return "<div class=\"legend\">" + sample("differs", "tall bar: different") +
         sample("equals", "thin line: equal") + "<span>nothing: not in both traces</span></div>";
}

std::string columns_text(const DifferenceMap& map) {
  if (map.steps_per_column == 1) return "each column a step";
  return "each column " + thousands(static_cast<std::uint64_t>(map.steps_per_column)) +
         " steps, different if any of them is";
}

std::string not_shown(const DifferenceMap& map) {
  std::string out;
  const auto say = [&](std::uint64_t count, const std::string& one, const std::string& more) {
    if (count == 0) return;
    out += (out.empty() ? "Not shown: " : "; ") + plural(static_cast<std::int64_t>(count), "state") +
           (count == 1 ? one : more);
  };
  say(map.rows_left_out, " that differs later than these", " that differ later than these");
  say(map.rows_equal, " that never differs", " that never differ");
  say(map.rows_unpaired, " that only one trace has", " that only one trace has");
  return out.empty() ? "" : out + ".";
}

std::string strip_figure(const Parting& parting) {
  const DifferenceMap& map = *parting.map;
  const std::string summary = map_summary(map);
  if (map.rows.empty()) return "<p class=\"quiet\">Over the steps: " + html_text(summary) + ".</p>\n";
  return "<figure><figcaption><b>What differs over the steps</b><span class=\"quiet\">" +
         html_text("Each row is a state at its place in the step, in the order in which things happen, " +
                   columns_text(map) +
                   ". The leftmost bar is where the trainings parted; at the same step, the topmost. " +
                   not_shown(map)) +
         "</span></figcaption>\n" + strip_chart(map, *parting.divergence, parting.title + ": " + summary) +
         legend() + "</figure>\n";
}

std::string block_of(const Parting& parting) {
  std::string out = "<h3>" + html_text(parting.title) +
                    (parting.decides ? "" : " <span class=\"none\">does not decide</span>") + "</h3>\n";
  out += headline(divergence_text(*parting.divergence));
  out += fact_list(parting.details);
  out += neighbour_table(*parting.divergence);
  return parting.map == nullptr ? out : out + strip_figure(parting);
}

std::string localization_block(const AuditResult& audit) {
  const Localization& found = *audit.localization;
  return "<h3>Repeated with operation traces</h3>\n" + headline(localization_text(found)) +
         fact_list(localization_details(audit)) +
         (found.divergence ? neighbour_table(*found.divergence) : "");
}

std::string proof_line(const AuditResult& audit) {
  if (!audit.proof) return "";
  const ProofState state = proof_state(audit, judge(audit, Expectation::identical).verdict);
  const std::string text = proof_text(*audit.proof, state);
  return text.empty() ? "" : "<p>Proof " + html_text(text) + ".</p>\n";
}

}  // namespace

std::string first_divergence(const AuditResult& audit) {
  std::string out;
  if (audit.localization) out += localization_block(audit);
  const Partings partings = partings_of(audit);
  for (const Parting& parting : partings.shown) out += block_of(parting);
  if (partings.left_out > 0) {
    out += "<p class=\"left-out\">Left out: " +
           plural(static_cast<std::int64_t>(partings.left_out), "more comparison") +
           " that parted; report.json has all.</p>\n";
  }
  const std::string proof = proof_line(audit);
  if (out.empty() && !proof.empty()) out += "<p>No run parted from its reference.</p>\n";
  return out + proof;
}

}  // namespace repro::html

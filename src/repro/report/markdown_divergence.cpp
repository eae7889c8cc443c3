// Where runs parted, in the Markdown report of an audit.
#include "repro/base/text.h"
#include "repro/report/divergence_text.h"
#include "repro/report/escape.h"
#include "repro/report/localization.h"
#include "repro/report/markdown_parts.h"
#include "repro/report/partings.h"

namespace repro {
namespace {

using Details = std::vector<std::pair<std::string, std::string>>;

std::string list_of(const Details& details) {
  std::string out;
  for (const auto& [label, text] : details) {
    out += "- " + markdown_text(label) + ": " + markdown_text(text) + "\n";
  }
  return out.empty() ? "" : out + "\n";
}

std::string cell(const std::string& name) { return name.empty() ? "" : markdown_code(name); }

std::string neighbours_of(const Divergence& divergence) {
  if (divergence.neighbours.empty()) return "";
  std::string out = "| | phase | layer | operation | tensor | memory |\n|:--|:--|:--|:--|:--|:--|\n";
  for (std::size_t i = 0; i < divergence.neighbours.size(); ++i) {
    const auto& [state, slot] = divergence.neighbours[i];
    const std::string mark(words_for(state));
    out += markdown_row({i == divergence.at_neighbour ? "**" + mark + "**" : mark,
                         std::string(name_of(slot.phase)), cell(slot.layer), cell(slot.operation),
                         cell(tensor_text(slot)), markdown_text(layout_text(slot))});
  }
  return out + "\n";
}

std::string part(const std::string& title, const std::string& headline, const Details& details,
                 const std::optional<Divergence>& divergence) {
  return "### " + markdown_text(title) + "\n\n" + markdown_text(headline) + "\n\n" + list_of(details) +
         (divergence ? neighbours_of(*divergence) : "");
}

}  // namespace

std::string markdown_first_divergence(const AuditResult& audit) {
  std::string out;
  if (audit.localization) {
    const Localization& found = *audit.localization;
    out += part("Repeated with operation traces", localization_text(found), localization_details(audit),
                found.divergence);
  }
  const Partings partings = partings_of(audit);
  for (const Parting& parting : partings.shown) {
    Details details = parting.details;
    if (parting.map != nullptr) details.emplace_back("over the steps", map_summary(*parting.map));
    out += part(parting.title, divergence_text(*parting.divergence), details, *parting.divergence);
  }
  if (partings.left_out > 0) {
    out += "Left out here: " + plural(static_cast<std::int64_t>(partings.left_out), "more comparison") +
           " that parted; report.json has all.\n\n";
  }
  return out.empty() ? "" : "## First divergence\n\n" + out;
}

}  // namespace repro

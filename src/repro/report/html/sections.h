#pragma once

#include <span>
#include <string>
#include <vector>

#include "repro/audit/result.h"
#include "repro/gate/gate.h"
#include "repro/report/comparison_view.h"
#include "repro/report/facts.h"
#include "repro/report/row_facts.h"

namespace repro::html {

// The parts of the HTML reports, each a pure function to a fragment; "" where there is nothing to show.
// All text in them is escaped.

// What all comparisons show, in an audit and in `diff`. `all_at` names where what is left out can be found.
// The tensor `first` is plotted for each group even if it never differs; "" for none.
std::string difference_plots(std::span<const ComparisonView> views, const std::string& first,
                             const std::string& all_at);
std::string tensor_tables(std::span<const ComparisonView> views, const std::string& all_at);
std::string ulp_histogram(std::span<const ComparisonView> views);

// What only an audit has.
std::string banner(const AuditResult& audit, const Judgement& judgement);
std::string group_table(const AuditResult& audit);
std::string notes(const AuditResult& audit);
std::string first_divergence(const AuditResult& audit);  // where runs parted, and what differs from there on
std::string settings(const AuditResult& audit);          // asked against in force
std::string loss_curves(const AuditResult& audit);
std::string run_table(const AuditResult& audit);  // time and memory
std::string pictures(const AuditResult& audit);
std::string documents(const AuditResult& audit);  // command, environment, spec

// A whole page: `title` is plain text; `head` comes before the links to the sections, `summary` after.
struct Section {
  std::string id, title, content;  // left out if the content is empty
};
struct Page {
  std::string kicker, heading;  // plain text
  Verdict verdict = Verdict::inconclusive;
  std::string head, summary;
  std::vector<Section> sections;
};
std::string whole_page(const Page& page);
std::string style_sheet();
// The verdict as it is seen first. `sentence` and `facts` are HTML, the line is plain text.
std::string verdict_banner(Verdict verdict, const std::string& sentence, const std::string& verdict_line,
                           const std::string& facts);
// A list of statements. Texts are plain.
std::string note_list(std::span<const Note> notes);

// Which states differ over the steps, as a drawing: a row for each, a bar where it differs. As wide as it has
// to be, in a scroll box of its own. `label` is plain text, read aloud; the row of `first` is set off.
std::string strip_chart(const DifferenceMap& map, const Divergence& first, const std::string& label);

// A titled section; "" if the content is empty.
std::string section(const std::string& id, const std::string& title, const std::string& content);
// A table in a scroll box of its own. Cells are HTML; those of numeric columns are right-aligned.
struct Column {
  std::string title;
  bool numeric = false;
};
std::string table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);
std::string details(const std::string& summary, const std::string& content, bool open = false);
std::string code(const std::string& text);  // <code>, escaped
std::string badge(Verdict verdict);
std::string optional_number(const std::optional<double>& value);
std::string optional_count(const std::optional<std::uint64_t>& value);

}  // namespace repro::html

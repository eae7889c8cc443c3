#pragma once

#include <string>
#include <vector>

#include "repro/audit/result.h"
#include "repro/gate/gate.h"

namespace repro::html {

// The parts of the HTML report, each a pure function to a fragment; "" where there is nothing to show.
// All text in them is escaped.
std::string style_sheet();
std::string banner(const AuditResult& audit, const Judgement& judgement);
std::string group_table(const AuditResult& audit);
std::string notes(const AuditResult& audit);
std::string settings(const AuditResult& audit);  // asked against in force
std::string difference_plots(const AuditResult& audit);
std::string loss_curves(const AuditResult& audit);
std::string ulp_histogram(const AuditResult& audit);
std::string tensor_tables(const AuditResult& audit);
std::string run_table(const AuditResult& audit);  // time and memory
std::string pictures(const AuditResult& audit);
std::string documents(const AuditResult& audit);  // command, environment, spec

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
std::string words_of(std::string_view name);  // "not_comparable" -> "not comparable"
std::string optional_number(const std::optional<double>& value);
std::string optional_count(const std::optional<std::uint64_t>& value);

}  // namespace repro::html

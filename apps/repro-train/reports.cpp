#include "reports.h"

#include <unistd.h>

#include <algorithm>

#include "console.h"
#include "repro/base/text.h"

namespace repro {
namespace {

// The plots in front of the table, one for the first comparison of each group.
std::string plots(const AuditResult& audit, const std::string& tensor, int width, bool color) {
  std::string out;
  for (const GroupResult& group : audit.groups) {
    const auto comparison = std::ranges::find(audit.comparisons, group.name, &Comparison::group);
    if (comparison == audit.comparisons.end()) continue;
    out += render_plot(audit, *comparison, tensor, width, color) + "\n";
  }
  return out;
}

}  // namespace

void write_reports(const AuditResult& audit, const Judgement& judgement, const fs::path& directory) {
  write_file(directory / "report.json", render_json(audit, judgement));
  write_file(directory / "report.html", render_html(audit, judgement));
  write_file(directory / "report.md", render_markdown(audit, judgement));
  write_file(directory / "junit.xml", render_junit(audit, judgement));
}

void show_audit(const AuditResult& audit, const Judgement& judgement, const OutputOptions& output,
                const std::string& plot) {
  if (output.json) return print_result(render_json(audit, judgement));
  const int width = std::min(terminal_width(STDOUT_FILENO), 120);
  const bool color = color_on(output, STDOUT_FILENO);
  if (!plot.empty()) {
    print_result(plots(audit, plot, width, color));
  } else if (audit.groups.size() > 1 && !output.quiet && !first_learnable(audit).empty()) {
    print_result(plots(audit, first_learnable(audit), width, color));
  }
  if (output.quiet) return print_result(judgement.verdict_line + "\n");
  TextOptions options;
  options.width = width;
  options.color = color;
  options.report_path = (audit.directory / "report.html").string();
  print_result(render_text(audit, judgement, options));
}

}  // namespace repro

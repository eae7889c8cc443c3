#include "reports.h"

#include <unistd.h>

#include <algorithm>

#include "console.h"
#include "repro/audit/diff_files.h"
#include "repro/base/text.h"
#include "repro/report/diff_report.h"
#include "repro/report/localization.h"

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

void show_localization(const AuditResult& audit, const OutputOptions& output, bool dumped) {
  const Localization& found = *audit.localization;
  if (output.json) {
    Json json = {{"format", "repro-train/localization"}, {"version", 1}};
    json.update(json_of_localization(audit));
    return print_result(json_document(json));
  }
  TextOptions options;
  options.color = color_on(output, STDOUT_FILENO);
  const std::string first = "first divergence: " + localization_text(found) + "\n";
  if (output.quiet) return print_result(displayable(first.substr(0, first.size() - 1)) + "\n");
  std::string out = render_localization_text(audit, options);
  if (dumped && found.tensor) {
    const fs::path folder = audit.directory / "localize";
    DiffRequest request;
    request.paths = {folder / "reference.safetensors", folder / "candidate.safetensors"};
    out += "\n" + render_diff_text(diff_files(request), options) + "\n";
  }
  print_result(out + "report: " + displayable((audit.directory / "report.html").string()) + "\n");
}

}  // namespace repro

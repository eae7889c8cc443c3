#pragma once

#include <string>

#include "compare_options.h"
#include "repro/report/report.h"

namespace repro {

// report.json, report.html, report.md and junit.xml of an audit, into its directory.
void write_reports(const AuditResult& audit, const Judgement& judgement, const fs::path& directory);

// What the user sees at the end: the JSON report, the verdict line alone, or the text report, with the
// plots that were asked for. With both groups the first learnable of each is drawn.
void show_audit(const AuditResult& audit, const Judgement& judgement, const OutputOptions& output,
                const std::string& plot);

// What `localize` prints; with `dumped` also what `diff` says of the two files that were kept.
void show_localization(const AuditResult& audit, const OutputOptions& output, bool dumped);

}  // namespace repro

#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/report.h"

namespace repro {
namespace {

struct Part {
  const char* id;
  const char* title;
  std::string (*content)(const AuditResult&);
};

constexpr Part parts[] = {
    {"differences", "Differences in weights", html::difference_plots},
    {"tensors", "Tensors", html::tensor_tables},
    {"ulp", "Distances in ULP", html::ulp_histogram},
    {"loss", "Loss", html::loss_curves},
    {"runs", "Time and memory", html::run_table},
    {"settings", "Determinism: asked against in force", html::settings},
    {"pictures", "Pictures", html::pictures},
    {"again", "To do it again", html::documents},
};

}  // namespace

std::string render_html(const AuditResult& audit, const Judgement& judgement) {
  std::string sections;
  std::string links;
  for (const Part& part : parts) {
    const std::string content = part.content(audit);
    if (content.empty()) continue;
    sections += html::section(part.id, part.title, content);
    links += "<a href=\"#" + std::string(part.id) + "\">" + html_text(part.title) + "</a>\n";
  }
  const std::string title = html_text(audit.name) + ": " + html::words_of(name_of(judgement.verdict));
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; img-src data:\">\n<title>" +
         title + "</title>\n<style>" + html::style_sheet() + "</style>\n</head>\n<body>\n<main>\n" +
         "<header><p class=\"kicker\">repro-train audit</p>\n<h1>" + html_text(audit.name) +
         "</h1></header>\n" + html::banner(audit, judgement) + "<nav>\n" + links + "</nav>\n" +
         html::group_table(audit) + html::notes(audit) + sections + "</main>\n</body>\n</html>\n";
}

}  // namespace repro

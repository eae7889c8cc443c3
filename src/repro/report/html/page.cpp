#include "repro/report/escape.h"
#include "repro/report/html/sections.h"
#include "repro/report/report.h"

namespace repro {

std::string html::whole_page(const Page& page) {
  std::string sections;
  std::string links;
  for (const Section& part : page.sections) {
    if (part.content.empty()) continue;
    sections += section(part.id, part.title, part.content);
    links += "<a href=\"#" + part.id + "\">" + html_text(part.title) + "</a>\n";
  }
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; img-src data:\">\n<title>" +
         html_text(page.heading) + ": " + words_of(name_of(page.verdict)) + "</title>\n<style>" +
         style_sheet() + "</style>\n</head>\n<body>\n<main>\n<header><p class=\"kicker\">" +
         html_text(page.kicker) + "</p>\n<h1>" + html_text(page.heading) + "</h1></header>\n" + page.head +
         (links.empty() ? "" : "<nav>\n" + links + "</nav>\n") + page.summary + sections +
         "</main>\n</body>\n</html>\n";
}

std::string render_html(const AuditResult& audit, const Judgement& judgement) {
  const std::vector<ComparisonView> views = views_of(audit);
  html::Page page;
  page.kicker = "repro-train audit";
  page.heading = audit.name;
  page.verdict = judgement.verdict;
  page.head = html::banner(audit, judgement);
  page.summary = html::group_table(audit) + html::notes(audit);
  page.sections = {
      {"divergence", "First divergence", html::first_divergence(audit)},
      {"differences", "Differences in weights",
       html::difference_plots(views, first_learnable(views), "the folder diff has all")},
      {"tensors", "Tensors", html::tensor_tables(views, "report.json has all")},
      {"ulp", "Distances in ULP", html::ulp_histogram(views)},
      {"loss", "Loss", html::loss_curves(audit)},
      {"runs", "Time and memory", html::run_table(audit)},
      {"settings", "Determinism: asked against in force", html::settings(audit)},
      {"pictures", "Pictures", html::pictures(audit)},
      {"again", "To do it again", html::documents(audit)},
  };
  return html::whole_page(page);
}

}  // namespace repro

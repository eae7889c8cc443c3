// What is seen first: the verdict, the groups, and what is to be known about them.
#include <algorithm>

#include "repro/base/text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/html/sections.h"
#include "repro/report/partings.h"

namespace repro::html {
namespace {

std::string_view sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::identical: return "=";
    case Verdict::different: return "≠";
    case Verdict::inconclusive:
    case Verdict::not_comparable: return "?";
  }
  return "";
}

// Says which runs are meant where not all groups decide.
std::string sentence_of(const AuditResult& audit, Verdict verdict) {
  const bool all_decide = std::all_of(audit.groups.begin(), audit.groups.end(),
                                      [&](const auto& group) { return decides(audit, group); });
  const std::string kind = all_decide ? "" : "deterministic ";
  switch (verdict) {
    case Verdict::identical: return "Every " + kind + "run gave the same result.";
    case Verdict::different: return "The " + kind + "runs did not give the same result.";
    case Verdict::inconclusive: return "There is no verdict";
    case Verdict::not_comparable: return "The results were made under other conditions";
  }
  return "";
}

std::string_view css_class_of(Note::Kind kind) {
  switch (kind) {
    case Note::Kind::divergence:
    case Note::Kind::operation: return "divergence";
    case Note::Kind::failure: return "failure";
    case Note::Kind::alert:
    case Note::Kind::warning: return "warning";
    case Note::Kind::proof:
    case Note::Kind::determinism:
    case Note::Kind::cost:
    case Note::Kind::runs:
    case Note::Kind::ignored:
    case Note::Kind::hint:
    case Note::Kind::remark: return "plain";
  }
  return "";
}

}  // namespace

std::string verdict_banner(Verdict verdict, const std::string& sentence, const std::string& verdict_line,
                           const std::string& facts) {
  const std::string name(name_of(verdict));
  return "<div class=\"banner " + name + "\"><div class=\"sign\" aria-hidden=\"true\">" +
         std::string(sign_of(verdict)) + "</div><div><p class=\"word\">" + words_of(name) + "</p><p>" +
         sentence + "</p><p>" + code(verdict_line) + "</p><p class=\"quiet\">" + facts + "</p></div></div>\n";
}

std::string banner(const AuditResult& audit, const Judgement& judgement) {
  std::string sentence = sentence_of(audit, judgement.verdict);
  if (!judgement.reason.empty()) sentence += ": " + html_text(judgement.reason) + ".";
  std::string facts =
      "rule " + html_text(rule_text(audit.rule)) + " · exit code " + std::to_string(judgement.exit_code);
  if (judgement.expectation == Expectation::different) facts += " (expected: different)";
  if (!audit.device_line.empty()) facts += " · " + html_text(audit.device_line);
  return verdict_banner(judgement.verdict, sentence, judgement.verdict_line, facts);
}

std::string group_table(const AuditResult& audit) {
  std::vector<std::vector<std::string>> rows;
  for (const GroupFacts& facts : group_facts(audit)) {
    const GroupResult& group = *facts.group;
    rows.push_back(
        {code(group.name) + (facts.decides ? "" : " <span class=\"none\">does not decide</span>"),
         badge(facts.judged.verdict),
         (group.finished == group.runs ? "" : thousands(group.finished) + " of ") + thousands(group.runs),
         thousands(group.distinct), thousands(group.tensors), thousands(group.values),
         thousands(facts.different), optional_number(facts.max_abs), optional_count(facts.max_ulp),
         group.step_seconds > 0 ? human_duration(group.step_seconds) : "–",
         group.peak_memory_bytes > 0 ? human_bytes(group.peak_memory_bytes) : "–"});
  }
  if (rows.empty()) return "";
  return table({{"group"},
                {"verdict"},
                {"runs", true},
                {"distinct results", true},
                {"tensors", true},
                {"values", true},
                {"different", true},
                {"max |diff|", true},
                {"max ULP", true},
                {"step", true},
                {"peak memory", true}},
               rows);
}

std::string note_list(std::span<const Note> notes) {
  std::string out;
  for (const Note& note : notes) {
    std::string label(label_of(note.kind));
    out += "<li class=\"" + std::string(css_class_of(note.kind)) + "\">";
    if (!label.empty()) out += "<b>" + label + "</b> ";
    out += html_text(note.text);
    if (!note.details.empty()) {
      out += "<pre>";
      for (const std::string& line : note.details) out += html_text(line) + "\n";
      out += "</pre>";
    }
    out += "</li>\n";
  }
  return out.empty() ? "" : "<ul class=\"notes\">\n" + out + "</ul>\n";
}

std::string notes(const AuditResult& audit) { return note_list(notes_beside_partings(audit)); }

}  // namespace repro::html

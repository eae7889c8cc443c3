// JUnit XML as Jenkins, GitLab and GitHub actions read it (Jenkins' junit-10.xsd): a suite per group with a
// test case per run and per comparison, and a suite "verdict" whose one case follows the exit code.
#include <pugixml.hpp>
#include <sstream>

#include "repro/base/number.h"
#include "repro/base/text.h"
#include "repro/report/divergence_text.h"
#include "repro/report/escape.h"
#include "repro/report/facts.h"
#include "repro/report/report.h"

namespace repro {
namespace {

enum class Outcome { passed, failed, error, skipped };
struct TestCase {
  std::string name;
  double seconds = 0;
  Outcome outcome = Outcome::passed;
  std::string type, message, details;
};

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

std::string seconds_text(double seconds) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.setf(std::ios::fixed);
  out.precision(3);
  out << (seconds > 0 && seconds < 1e12 ? seconds : 0.0);
  return out.str();
}

void append_case(pugi::xml_node suite, const std::string& suite_name, const TestCase& test) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", xml_text("repro-train." + suite_name));
  set(node, "name", xml_text(test.name));
  set(node, "time", seconds_text(test.seconds));
  if (test.outcome == Outcome::passed) return;
  const char* element = test.outcome == Outcome::failed  ? "failure"
                        : test.outcome == Outcome::error ? "error"
                                                         : "skipped";
  pugi::xml_node result = node.append_child(element);
  set(result, "message", xml_text(test.message));
  if (test.outcome == Outcome::skipped) return;
  set(result, "type", test.type);
  if (!test.details.empty()) result.text().set(test.details.c_str());
}

struct Totals {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};

void set_totals(pugi::xml_node node, const Totals& totals) {
  set(node, "tests", std::to_string(totals.tests));
  set(node, "failures", std::to_string(totals.failures));
  set(node, "errors", std::to_string(totals.errors));
  set(node, "skipped", std::to_string(totals.skipped));
  set(node, "time", seconds_text(totals.seconds));
}

void append_suite(pugi::xml_node root, const AuditResult& audit, const std::string& name,
                  const std::vector<TestCase>& cases, Totals& all) {
  Totals totals;
  for (const TestCase& test : cases) {
    ++totals.tests;
    totals.failures += test.outcome == Outcome::failed;
    totals.errors += test.outcome == Outcome::error;
    totals.skipped += test.outcome == Outcome::skipped;
    totals.seconds += test.seconds;
  }
  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", xml_text(name));
  set_totals(suite, totals);
  std::string timestamp = audit.started;  // the schema has no room for the "Z" of UTC
  if (timestamp.ends_with('Z')) timestamp.pop_back();
  if (!timestamp.empty()) set(suite, "timestamp", xml_text(timestamp));
  for (const TestCase& test : cases) append_case(suite, name, test);
  all.tests += totals.tests;
  all.failures += totals.failures;
  all.errors += totals.errors;
  all.skipped += totals.skipped;
  all.seconds += totals.seconds;
}

TestCase case_of_run(const RunResult& run, bool decides) {
  TestCase test;
  test.name = "run " + run.record.name;
  test.seconds = run.record.seconds;
  if (run.record.status != RunStatus::finished) {
    test.outcome = decides ? Outcome::error : Outcome::skipped;
    test.type = std::string(name_of(run.record.status));
    test.message = run.record.message.empty() ? test.type : run.record.message;
    for (const std::string& line : run.log_tail) test.details += xml_text(line) + "\n";
  } else if (!run.passes_identical) {
    test.outcome = decides ? Outcome::failed : Outcome::skipped;
    test.type = "different";
    test.message = "the two prediction passes over the same test images differ";
  }
  if (test.outcome == Outcome::skipped) test.message += " (this group does not decide)";
  return test;
}

std::string differing_lines(const SnapshotDiff& diff) {
  constexpr int most_lines = 50;
  std::string out;
  int count = 0;
  for (const TensorDiff& tensor : diff.tensors) {
    if (tensor.kind == DifferenceKind::equal || ++count > most_lines) continue;
    out += xml_text(tensor.name) + ": " + std::string(name_of(tensor.kind)) + ", " +
           thousands(tensor.different) + " of " + thousands(tensor.values) + " values differ";
    if (tensor.max_abs()) out += ", max |diff| " + rounded(*tensor.max_abs());
    if (tensor.max_ulp()) out += ", max ULP " + thousands(*tensor.max_ulp());
    out += "\n";
  }
  if (count > most_lines) out += plural(count - most_lines, "more tensor") + "\n";
  return out;
}

TestCase case_of_comparison(const Comparison& comparison, bool decides, Expectation expectation) {
  TestCase test;
  test.name = pair_text(comparison);
  const Verdict verdict = comparison.diff.verdict;
  if (verdict == Verdict::identical) return test;
  test.type = std::string(name_of(verdict));
  test.message = thousands(comparison.diff.values_different) + " of " +
                 thousands(comparison.diff.values_compared) + " values differ";
  if (comparison.divergence) {
    test.message += "; first divergence: " + divergence_text(*comparison.divergence);
  }
  test.details = differing_lines(comparison.diff);
  if (!decides) {
    test.outcome = Outcome::skipped;
    test.message = test.type + ": " + test.message + " (this group does not decide)";
  } else if (verdict == Verdict::different) {
    const bool wanted = expectation == Expectation::different;
    test.outcome = wanted ? Outcome::passed : Outcome::failed;
  } else {
    test.outcome = Outcome::error;
    test.message = test.type + ": " + test.message;
  }
  return test;
}

// A run that did not finish was not compared; that is shown, not left out.
TestCase skipped_comparison(const RunResult& run, const GroupResult& group) {
  TestCase test;
  test.name = run.record.name + " against " +
              (group.reference ? run_name(group.name, *group.reference) : "the reference");
  test.outcome = Outcome::skipped;
  test.message = "not compared: the run did not finish";
  return test;
}

TestCase case_of_verdict(const Judgement& judgement) {
  TestCase test;
  test.name = judgement.expectation == Expectation::identical ? "identical" : "different";
  test.type = std::string(name_of(judgement.verdict));
  test.message = judgement.verdict_line;
  if (judgement.exit_code != 0) {
    test.outcome = judgement.exit_code == 1 ? Outcome::failed : Outcome::error;
  }
  return test;
}

std::vector<TestCase> cases_of(const AuditResult& audit, const GroupResult& group, Expectation expectation) {
  const bool decisive = decides(audit, group);
  std::vector<TestCase> cases;
  for (const RunResult& run : audit.runs) {
    if (run.group == group.name) cases.push_back(case_of_run(run, decisive));
  }
  for (const Comparison& comparison : audit.comparisons) {
    if (comparison.group == group.name) {
      cases.push_back(case_of_comparison(comparison, decisive, expectation));
    }
  }
  for (const RunResult& run : audit.runs) {
    if (run.group == group.name && run.record.status != RunStatus::finished) {
      cases.push_back(skipped_comparison(run, group));
    }
  }
  return cases;
}

}  // namespace

std::string render_junit(const AuditResult& audit, const Judgement& judgement) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", xml_text(audit.name));
  Totals totals;
  for (const GroupResult& group : audit.groups) {
    append_suite(root, audit, group.name, cases_of(audit, group, judgement.expectation), totals);
  }
  append_suite(root, audit, "verdict", {case_of_verdict(judgement)}, totals);
  set_totals(root, totals);
  std::ostringstream out;
  out << R"(<?xml version="1.0" encoding="UTF-8"?>)"
      << "\n";
  document.save(out, "  ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return out.str();
}

}  // namespace repro

#include "repro/gate/gate.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

namespace repro {
namespace {

// One group in a few letters, one per run: the reference first. '=' finished and equal to the reference,
// 'd' finished and different, '?' finished and inconclusive, 'n' not comparable, 'p' finished, equal, but
// its two prediction passes differ, 'x' failed, 'i' interrupted, '0' finished, nothing compared,
// '!' finished but its comparison is missing, '.' never started.
void add_group(AuditResult& audit, const std::string& name, const std::string& runs) {
  GroupResult group;
  group.name = name;
  group.runs = std::ssize(runs);
  group.tensors = 14;
  group.values = 12609;
  std::int64_t k = -1;
  for (const char letter : runs) {
    ++k;
    if (letter == '.') continue;
    RunResult run;
    run.group = name;
    run.index = k;
    run.record.name = name + "-" + std::to_string(k);
    run.record.status = letter == 'x'   ? RunStatus::failed
                        : letter == 'i' ? RunStatus::interrupted
                                        : RunStatus::finished;
    if (letter == 'x') run.record.message = "killed by SIGKILL";
    run.passes_identical = letter != 'p';
    audit.runs.push_back(run);
    if (run.record.status != RunStatus::finished) continue;
    if (!group.reference) {
      group.reference = k;
      continue;
    }
    if (letter == '!') continue;
    Comparison comparison;
    comparison.group = name;
    comparison.reference = *group.reference;
    comparison.candidate = k;
    comparison.diff.values_compared = letter == '0' ? 0 : 12609;
    comparison.diff.verdict = letter == 'd'   ? Verdict::different
                              : letter == '?' ? Verdict::inconclusive
                              : letter == 'n' ? Verdict::not_comparable
                                              : Verdict::identical;
    audit.comparisons.push_back(comparison);
  }
  audit.groups.push_back(group);
}

struct Row {
  const char* why;
  std::vector<std::pair<std::string, std::string>> groups;
  Verdict verdict;
  int exit_code;            // --expect identical
  int exit_code_different;  // --expect different
};

const std::vector<Row>& precedence_table() {
  using enum Verdict;
  static const std::vector<Row> rows = {
      {"two equal runs", {{"deterministic", "=="}}, identical, 0, 1},
      {"two different runs", {{"deterministic", "=d"}}, different, 1, 0},
      {"one of thirty", {{"default", "==============================d"}}, different, 1, 0},
      {"a run failed, the others equal", {{"deterministic", "==x"}}, inconclusive, 3, 3},
      {"interrupted, the others equal", {{"deterministic", "==i"}}, inconclusive, 3, 3},
      {"never started", {{"deterministic", "==."}}, inconclusive, 3, 3},
      {"run 0 failed, the others equal", {{"deterministic", "x=="}}, inconclusive, 3, 3},
      {"run 0 failed, the others differ", {{"deterministic", "x=d"}}, different, 1, 0},
      {"a proven difference and a failed run", {{"deterministic", "=dx"}}, different, 1, 0},
      {"fewer than two finished", {{"deterministic", "=x"}}, inconclusive, 3, 3},
      {"none finished", {{"deterministic", "xx"}}, inconclusive, 3, 3},
      {"nothing started", {{"deterministic", ".."}}, inconclusive, 3, 3},
      {"no group at all", {}, inconclusive, 3, 3},
      {"not one value compared", {{"deterministic", "=0"}}, inconclusive, 3, 3},
      {"a comparison is inconclusive", {{"deterministic", "=?"}}, inconclusive, 3, 3},
      {"a comparison is missing", {{"deterministic", "==!"}}, inconclusive, 3, 3},
      {"not comparable", {{"deterministic", "=n"}}, not_comparable, 3, 3},
      {"different before inconclusive", {{"deterministic", "=?d"}}, different, 1, 0},
      {"different before not comparable", {{"deterministic", "=nd"}}, different, 1, 0},
      {"passes of a candidate differ", {{"deterministic", "=p"}}, different, 1, 0},
      {"passes of the reference differ", {{"deterministic", "p="}}, different, 1, 0},
      {"passes differ, the other run failed", {{"deterministic", "px"}}, different, 1, 0},
      {"both: default differs", {{"default", "=d"}, {"deterministic", "=="}}, identical, 0, 1},
      {"both: default failed", {{"default", "xx"}, {"deterministic", "=="}}, identical, 0, 1},
      {"both: default passes differ", {{"default", "p="}, {"deterministic", "=="}}, identical, 0, 1},
      {"both: deterministic differs", {{"default", "=="}, {"deterministic", "=d"}}, different, 1, 0},
      {"both: deterministic failed", {{"default", "=d"}, {"deterministic", "=x"}}, inconclusive, 3, 3},
      {"both: order does not matter", {{"deterministic", "=="}, {"default", "=d"}}, identical, 0, 1},
      {"engines: all deterministic ones decide",
       {{"libtorch-default", "=d"}, {"libtorch-deterministic", "=="}, {"portable-deterministic", "=d"}},
       different,
       1,
       0},
      {"engines: 1 before 3",
       {{"libtorch-deterministic", "xx"}, {"portable-deterministic", "=d"}},
       different,
       1,
       0},
      {"engines: 3 before 0",
       {{"libtorch-deterministic", "=="}, {"portable-deterministic", "=x"}},
       inconclusive,
       3,
       3},
      {"a name that only looks deterministic",
       {{"default", "=d"}, {"nondeterministic", "=="}},
       different,
       1,
       0},
      {"default alone decides", {{"default", "=d"}}, different, 1, 0},
  };
  return rows;
}

AuditResult audit_of(const Row& row) {
  AuditResult audit;
  audit.device = "cpu";
  for (const auto& [name, runs] : row.groups) add_group(audit, name, runs);
  return audit;
}

TEST_CASE("the precedence of verdicts and exit codes") {
  const Row& row = precedence_table()[GENERATE(range(std::size_t{0}, precedence_table().size()))];
  INFO(row.why);
  const AuditResult audit = audit_of(row);
  const Judgement plain = judge(audit, Expectation::identical);
  const Judgement negative = judge(audit, Expectation::different);
  CHECK(plain.verdict == row.verdict);
  CHECK(plain.exit_code == row.exit_code);
  CHECK(negative.verdict == row.verdict);  // the expectation changes the exit code only
  CHECK(negative.exit_code == row.exit_code_different);
  CHECK(plain.reason.empty() == (row.exit_code != 3));
  CHECK(plain.verdict_line == negative.verdict_line);
}

TEST_CASE("a failed run is known only of deciding groups") {
  CHECK_FALSE(
      judge(audit_of({"", {{"default", "xx"}, {"deterministic", "=="}}, {}, 0, 0}), Expectation::identical)
          .run_failed);
  CHECK(judge(audit_of({"", {{"deterministic", "=dx"}}, {}, 0, 0}), Expectation::identical).run_failed);
}

TEST_CASE("the verdict line") {
  const auto line = [](const Row& row, Rule rule = {}) {
    AuditResult audit = audit_of(row);
    audit.rule = rule;
    return judge(audit, Expectation::identical).verdict_line;
  };
  CHECK(line({"", {{"deterministic", "=="}}, {}, 0, 0}) ==
        "verdict: identical (deterministic, cpu, 2 runs, 14 tensors, 12609 values)");
  CHECK(line({"", {{"default", "=d"}, {"deterministic", "==="}}, {}, 0, 0}) ==
        "verdict: identical (deterministic, cpu, 3 runs, 14 tensors, 12609 values)");
  CHECK(line({"", {{"a-deterministic", "=d"}, {"b-deterministic", "=="}}, {}, 0, 0}) ==
        "verdict: different (a-deterministic + b-deterministic, cpu, 4 runs, 14 tensors, 12609 "
        "values)");
  CHECK(line({"", {{"default", "=dx"}}, {}, 0, 0}, {.type = Rule::Type::ulp, .max_ulp = 4}) ==
        "verdict: different (default, cpu, 2 of 3 runs, 14 tensors, 12609 values, ulp=4)");
  CHECK(line({"", {{"deterministic", "=x"}}, {}, 0, 0}) ==
        "verdict: inconclusive (deterministic, cpu, 1 of 2 runs, 14 tensors, 12609 values): run "
        "deterministic-1 failed: killed by SIGKILL");
}

TEST_CASE("names of files in the verdict line are made safe") {
  AuditResult audit;
  add_group(audit, "deterministic", "=?");
  TensorDiff tensor;
  tensor.name = "evil\x1b[2Jname";
  tensor.kind = DifferenceKind::not_compared;
  tensor.reason = "quantised\nverdict: identical";
  audit.comparisons[0].diff.tensors.push_back(tensor);
  const std::string line = judge(audit, Expectation::identical).verdict_line;
  CHECK(line.find('\x1b') == std::string::npos);
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.find("evil\\x1b[2Jname was not compared: quantised") != std::string::npos);
}

}  // namespace
}  // namespace repro

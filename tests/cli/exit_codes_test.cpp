// The contract's exit codes and their precedence: signal, then 5, then 2 or 4 found before the first run,
// then 1, then 3, then 0. (Signals: interrupt_test.cpp.)
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "cli/fake_audit.h"

namespace repro {
namespace {

struct Row {
  const char* what;
  const char* faults;
  std::vector<std::string> options;
  int code;
  const char* verdict;  // of report.json, "" if there is none
};

TEST_CASE("exit codes and their precedence") {
  const Row row = GENERATE(
      // 0, 1 and what expectation makes of them
      Row{"equal runs", "", {}, 0, "identical"},
      Row{"different runs", "deterministic-1=ulp:16", {}, 1, "different"},
      Row{"expected to differ, and they do",
          "deterministic-1=ulp:16",
          {"--expect", "different"},
          0,
          "different"},
      Row{"expected to differ, and they do not", "", {"--expect", "different"}, 1, "identical"},
      Row{"prediction passes differ", "deterministic-0=passes,deterministic-1=passes", {}, 1, "different"},
      // 3: a run failed, fewer than two finished
      Row{"one of two runs fails", "deterministic-1=throw", {}, 3, "inconclusive"},
      Row{"one of three runs fails, two agree", "deterministic-2=throw", {"--runs", "3"}, 3, "inconclusive"},
      Row{"run 0 fails: the lowest finished run is the reference",
          "deterministic-0=throw",
          {"--runs", "3"},
          3,
          "inconclusive"},
      Row{"expected to differ, a run fails",
          "deterministic-1=throw",
          {"--expect", "different"},
          3,
          "inconclusive"},
      Row{"an input error inside a run is the run's failure",
          "deterministic-1=throw:input",
          {},
          3,
          "inconclusive"},
      Row{"a killed worker", "deterministic-1=kill", {}, 3, "inconclusive"},
      Row{"a worker that dies after training", "deterministic-1=late", {}, 3, "inconclusive"},
      Row{"a run that leaves no weights", "deterministic-1=no-weights", {}, 3, "inconclusive"},
      Row{"nothing on --only", "", {"--only", "nothing*"}, 3, "inconclusive"},
      Row{"everything ignored", "", {"--ignore", "*"}, 3, "inconclusive"},
      // 1 before 3
      Row{"a proven difference stays 1 though a run failed",
          "deterministic-1=ulp:3,deterministic-2=throw",
          {"--runs", "3"},
          1,
          "different"},
      Row{"expected and proven, though a run failed",
          "deterministic-1=ulp:3,deterministic-2=throw",
          {"--runs", "3", "--expect", "different"},
          0,
          "different"},
      // with both groups the deterministic one decides
      Row{"both: the default group differs", "default-1=ulp:16", {"--both"}, 0, "identical"},
      Row{"both: the default group fails", "default-0=throw,default-1=throw", {"--both"}, 0, "identical"},
      Row{"both: the deterministic group differs", "deterministic-1=ulp:16", {"--both"}, 1, "different"},
      Row{"both: the deterministic group fails",
          "deterministic-1=throw,default-1=ulp:16",
          {"--both"},
          3,
          "inconclusive"},
      Row{"nondeterministic alone decides", "default-1=ulp:16", {"--nondeterministic"}, 1, "different"},
      // 5 before 1
      Row{"a bug in a run", "deterministic-1=throw:bug", {}, 5, "inconclusive"},
      Row{"a bug and a difference",
          "deterministic-1=ulp:3,deterministic-2=throw:bug",
          {"--runs", "3"},
          5,
          "different"},
      // rules
      Row{"one ULP within ulp=1",
          "deterministic-1=ulp:16",
          {"--compare", "ulp=1", "--scope", "learnables"},
          0,
          "identical"},
      Row{"one ULP is not within ulp=0",
          "deterministic-1=ulp:16",
          {"--compare", "ulp=0", "--scope", "learnables"},
          1,
          "different"},
      Row{"the differing tensor is ignored",
          "deterministic-1=ulp:16",
          {"--ignore", "conv1.weight", "--ignore", "predictions.*"},
          0,
          "identical"},
      Row{"only buffers", "deterministic-1=ulp:16", {"--scope", "buffers"}, 0, "identical"},
      // bisect
      Row{"bisect: 3 is skipped", "deterministic-1=throw", {"--bisect"}, 125, "inconclusive"},
      Row{"bisect: 1 is bad", "deterministic-1=ulp:16", {"--bisect"}, 1, "different"});
  const FakeAudit audit(row.faults);
  const CliResult result = audit.run(row.options);
  INFO(row.what << "\n" << result.out << result.err);
  CHECK(result.code == row.code);
  const auto report = audit.report();
  CHECK(report["verdict"] == row.verdict);
  if (row.code != 5 && row.code != 125) CHECK(report["exit_code"] == row.code);
}

TEST_CASE("what is found before the first run: nothing is left behind") {
  struct Early {
    const char* what;
    const char* faults;
    std::vector<std::string> options;
    int code;
    const char* message;
  };
  const Early row = GENERATE(
      Early{"unknown option", "", {"--speed"}, 2, "--speed"},
      Early{"malformed number", "", {"--runs", "two"}, 2, "--runs: expected a whole number, found 'two'"},
      Early{"out of range", "", {"--runs", "1"}, 2, "--runs: 1 "},
      Early{"malformed device", "", {"--device", "gpu"}, 2, "--device"},
      Early{"malformed rule", "", {"--compare", "tolerance=-1,0"}, 2, "tolerance"},
      Early{"infinite tolerance", "", {"--compare", "tolerance=inf,0"}, 2, "tolerance"},
      Early{"two options that contradict", "", {"--deterministic", "--both"}, 2, "--both"},
      Early{"quiet and verbose", "", {"-q", "-v"}, 2, "excludes"},
      Early{"a spec mistake", "", {"--set", "/optimizer/learning_rat=1"}, 2, "did you mean 'learning_rate'?"},
      Early{"cuDNN benchmark with determinism",
            "",
            {"--set", "/execution/determinism/cudnn_benchmark=true"},
            2,
            "cudnn_benchmark"},
      Early{"layers that do not fit", "", {"--set", "/input/resize/size=[1,1]"}, 2, "/model/layers"},
      Early{"no training step: epochs", "", {"--set", "/training/epochs=0"}, 3, "/training/epochs is 0"},
      Early{"no training step: batch",
            "",
            {"--set", "/training/batch_size=500"},
            3,
            "there are 160 training images"},
      Early{"a device that is not there", "", {"--device", "cuda:3"}, 3, "cuda:3"},
      Early{"worker of another protocol", "start=protocol", {}, 2, "protocol 2"},
      Early{"worker of another build", "start=build", {}, 2, "0.0.0+other"},
      Early{"worker that dies at once", "start=exit:9", {}, 3, "exited with status 9"},
      Early{"worker that talks nonsense", "start=garbage", {}, 3, "no event"},
      Early{"missing data file",
            "",
            {"--set", R"(/data={"type":"idx","images":"no.gz","labels":"no.gz"})"},
            4,
            "no.gz"},
      // 2 or 4 found first win over 3
      Early{"a mistake and no step",
            "",
            {"--set", "/training/epochs=0", "--set", "/seed/cpu=-1"},
            2,
            "/seed/cpu"});
  const FakeAudit audit(row.faults);
  const CliResult result = audit.run(row.options);
  INFO(row.what << "\n" << result.out << result.err);
  CHECK(result.code == row.code);
  CHECK(result.err.find(row.message) != std::string::npos);
  CHECK(result.out.empty());
  CHECK_FALSE(fs::exists(audit.path()));
}

TEST_CASE("a file that the user named and that is missing is 4, a folder too; bad contents are 2") {
  const FakeAudit audit;
  CHECK(audit.cli()({"--config", "missing.json"}).code == 4);
  CHECK(audit.cli()({"--config", "."}).code == 4);
  write_file(audit.path("bad.json"), "{\"name\": ");
  CHECK(audit.cli()({"--config", "bad.json"}).code == 2);
  CHECK(audit.cli()({"--config", "bad.json", "--bisect"}).code == 2);
  CHECK(audit.cli()({"--config", "missing.json", "--bisect"}).code == 125);
}

TEST_CASE("no worker: exit 2 and what was looked for") {
  const FakeAudit audit("", {{"REPRO_WORKER", "/nonexistent/worker"}});
  const CliResult result = audit.run();
  CHECK(result.code == 2);
  CHECK(result.err.find("REPRO_WORKER is /nonexistent/worker") != std::string::npos);
}

}  // namespace
}  // namespace repro

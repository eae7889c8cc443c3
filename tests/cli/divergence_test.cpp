// Where trainings part: traces, faults on purpose, localize, proofs, alerts.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/fake_audit.h"

namespace repro {
namespace {

using Catch::Matchers::ContainsSubstring;

const std::string first_run = "audit/runs/deterministic-0", second_run = "audit/runs/deterministic-1";

TEST_CASE("a fault on purpose is found in its phase, and the audit says that it was one") {
  struct Place {
    std::string injection, phase, tensor;
    std::int64_t step = 3;
  };
  const Place place =
      GENERATE(Place{"1,3,batch,input,7,ulp=1", "batch", "input"},
               Place{"deterministic-1,3,loss,loss,bit=0", "loss", "loss"},
               Place{"1,3,backward,conv1.weight,5,ulp=-1", "backward", "conv1.weight"},
               Place{"1,3,update,adam.m/conv1.bias,bit=4", "update", "adam.m/conv1.bias"},
               Place{"1,3,buffer,input.mean,9,bits=7fc00001", "buffer", "input.mean"},
               Place{"1,0,initialisation,conv2.bias,bit=30", "initialisation", "conv2.bias", 0});
  const FakeAudit audit;
  const CliResult result = audit.run({"--inject", place.injection});
  INFO(place.injection << "\n" << result.out << result.err);
  const auto first = audit.report()["first_divergence"];
  REQUIRE_FALSE(first.is_null());
  CHECK(first["step"] == place.step);
  CHECK(first["phase"] == place.phase);
  CHECK(first["tensor"] == place.tensor);
  CHECK_THAT(result.err, ContainsSubstring("a fault is injected on purpose"));
  CHECK(result.code == (first["healed"] == true ? 0 : 1));
}

TEST_CASE("without a fault traces are identical; trace diff has the exit codes of diff") {
  const FakeAudit audit;
  REQUIRE(audit.run().code == 0);
  const CliResult equal = audit.cli()({"trace", "diff", first_run, second_run + "/trace.bin"});
  INFO(equal.out << equal.err);
  CHECK(equal.code == 0);
  CHECK(last_line(equal.out).starts_with("verdict: identical (17 steps, "));

  const FakeAudit differing("deterministic-1=ulp:11");
  REQUIRE(differing.run().code == 1);
  const CliResult different = differing.cli()({"trace", "diff", first_run, second_run});
  CHECK(different.code == 1);
  CHECK_THAT(different.out,
             ContainsSubstring("first divergence: step 11 (epoch 2, batch 3), update, conv1.weight"));
  CHECK_THAT(different.out, ContainsSubstring("  > ! update, conv1.weight\n"));
  const CliResult json = differing.cli()({"trace", "diff", first_run, second_run, "--json"});
  CHECK(json.code == 1);
  CHECK(nlohmann::json::parse(json.out)["first_divergence"]["step"] == 11);

  // A trace that was cut off proves nothing where all that is there agrees.
  const fs::path trace = audit.path() / "runs/deterministic-1/trace.bin";
  fs::resize_file(trace, fs::file_size(trace) - 3);
  CHECK(audit.cli()({"trace", "diff", first_run, second_run}).code == 3);
  write_file(trace, "not a trace at all");
  CHECK(audit.cli()({"trace", "diff", first_run, second_run}).code == 4);
  CHECK(audit.cli()({"trace", "diff", first_run, "audit"}).code == 4);
  CHECK(audit.cli()({"trace", "diff", first_run}).code == 2);
}

TEST_CASE("trace show prints every fingerprint, or those of one step") {
  const FakeAudit audit;
  REQUIRE(audit.run({"--trace", "ops"}).code == 0);
  const CliResult all = audit.cli()({"trace", "show", first_run});
  INFO(all.out << all.err);
  CHECK(all.code == 0);
  CHECK_THAT(all.out, ContainsSubstring("step 0 (after initialisation)\n"));
  CHECK_THAT(all.out, ContainsSubstring("  forward, fake::scale -> result  float32 20x1x32x32\n"));
  CHECK_THAT(last_line(all.out), ContainsSubstring("17 steps, "));
  const CliResult one = audit.cli()({"trace", "show", first_run, "--step", "2"});
  CHECK(one.code == 0);
  CHECK(one.out.starts_with("step 2 (epoch 1, batch 2)\n"));
  CHECK_THAT(last_line(one.out), ContainsSubstring("1 step, "));
  const auto json =
      nlohmann::json::parse(audit.cli()({"trace", "show", first_run, "--step", "2", "--json"}).out);
  CHECK(json["steps"].size() == 1);
  CHECK(json["steps"][0]["fingerprints"][0]["tensor"] == "input");
  const CliResult missing = audit.cli()({"trace", "show", first_run, "--step", "99"});
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, ContainsSubstring("it has steps 0 to 16"));
  CHECK(audit.cli()({"trace", "show", first_run, "--step", "x"}).code == 2);
  CHECK(audit.cli()({"trace", "show", "nowhere"}).code == 4);
  CHECK(audit.cli()({"trace", "show"}).code == 2);
}

TEST_CASE("faults that cannot be are refused before anything runs") {
  const auto [injection, message] = GENERATE(
      std::pair<std::string, std::string>{"7,3,update,conv1.weight,ulp=1", "there is no run '7'"},
      std::pair<std::string, std::string>{"default-1,3,update,conv1.weight,ulp=1",
                                          "there is no run 'default-1'"},
      std::pair<std::string, std::string>{"1,17,update,conv1.weight,ulp=1", "the training has 16 steps"},
      std::pair<std::string, std::string>{"1,3,update,conv1.wieght,ulp=1", "did you mean 'conv1.weight'?"},
      std::pair<std::string, std::string>{"1,3,backward,adam.m/conv1.weight,ulp=1", "in phase backward"},
      std::pair<std::string, std::string>{"1,3,update", "expected five or six parts"});
  const FakeAudit audit;
  const CliResult result = audit.run({"--inject", injection});
  INFO(result.err);
  CHECK(result.code == 2);
  CHECK_THAT(result.err, ContainsSubstring(message));
  CHECK_FALSE(fs::exists(audit.path()));
}

TEST_CASE("localize finds the operation, and changes nothing of the audit") {
  const FakeAudit audit;
  // The fault strikes at an operation; the audit knows steps only.
  REQUIRE(audit.run({"--inject", "1,5,forward,fake::scale,3,bit=20"}).code == 1);
  const auto before = audit.report();
  CHECK(before["localization"].is_null());
  CHECK(before["first_divergence"]["operation"].is_null());
  const std::string runs = read_text_file(audit.path() / "runs/deterministic-1/result.json");

  const CliResult result = audit.cli()({"localize", "audit", "--dump-first"});
  INFO(result.out << result.err);
  CHECK(result.code == 1);
  CHECK_THAT(result.out, ContainsSubstring("step 5 (epoch 1, batch 5), forward, fake::scale -> result"));
  CHECK_THAT(result.out, ContainsSubstring("1 of 20,480 values"));
  CHECK_THAT(result.out, ContainsSubstring("parted again in 1 of 1 attempt"));
  const auto after = audit.report();
  CHECK(after["verdict"] == before["verdict"]);
  CHECK(after["groups"] == before["groups"]);
  CHECK(after["localization"]["first_divergence"]["operation"] == "fake::scale");
  CHECK(after["localization"]["values_different"] == 1);
  CHECK(read_text_file(audit.path() / "runs/deterministic-1/result.json") == runs);

  const CliResult diff =
      audit.cli()({"diff", "audit/localize/reference.safetensors", "audit/localize/candidate.safetensors"});
  CHECK(diff.code == 1);
  // The reports can be rebuilt with what was found, and it can be done again.
  CHECK(audit.cli()({"report", "audit"}).code == 1);
  CHECK(audit.report() == after);
  CHECK(audit.cli()({"localize", "audit", "--json"}).code == 1);
}

TEST_CASE("localize where nothing differs, where it does not show again, and where there is no audit") {
  const FakeAudit equal;
  REQUIRE(equal.run().code == 0);
  const CliResult nothing = equal.cli()({"localize", "audit"});
  CHECK(nothing.code == 0);
  CHECK_THAT(nothing.out, ContainsSubstring("nothing in this audit differs"));

  // The second run differed by the worker's doing, which is not repeated.
  const FakeAudit once("deterministic-1=ulp:11");
  REQUIRE(once.run().code == 1);
  const FakeAudit healthy;
  fs::copy(once.path(), healthy.path(), fs::copy_options::recursive);
  const CliResult gone = healthy.cli()({"localize", "audit"});
  INFO(gone.out << gone.err);
  CHECK(gone.code == 3);
  CHECK_THAT(gone.out, ContainsSubstring("the difference did not show again"));
  CHECK_THAT(gone.out, ContainsSubstring("parted again in 0 of 3 attempts"));
  CHECK(healthy.report()["verdict"] == "different");  // the audit's verdict stands

  CHECK(equal.cli()({"localize", "nowhere"}).code == 4);
  CHECK(equal.cli()({"localize"}).code == 2);
  fs::create_directories(once.path() / "localize");
  write_file(once.path() / "localize/mine.txt", "precious");
  CHECK(once.cli()({"localize", "audit"}).code == 2);
  CHECK(read_text_file(once.path() / "localize/mine.txt") == "precious");
}

TEST_CASE("--prove: a fault that is found changes nothing") {
  const FakeAudit audit;
  const CliResult result = audit.run({"--prove"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK_THAT(result.out, ContainsSubstring("proof: made: "));
  const auto report = audit.report();
  CHECK(report["proof"]["state"] == "made");
  CHECK(report["proof"]["first_divergence"]["step"] == 16);
  CHECK(report["groups"][0]["runs"] == 2);
  CHECK(report["groups"][0]["distinct"] == 1);
  CHECK(report["comparisons"].size() == 1);
  CHECK(audit.cli()({"report", "audit"}).code == 0);
}

TEST_CASE("--prove: a fault that is not found, or not where it is, is exit 5") {
  // deterministic-2 is the run that --prove adds to two runs.
  const std::string fault = GENERATE("deaf", "ulp:3");
  const FakeAudit audit("deterministic-2=" + fault);
  const CliResult result = audit.run({"--prove"});
  INFO(fault << "\n" << result.out << result.err);
  CHECK(result.code == 5);
  CHECK_THAT(result.out, ContainsSubstring("proof: FAILED: "));
  CHECK(audit.report()["proof"]["state"] == "failed");
  CHECK(audit.report()["exit_code"] == 5);
  CHECK(audit.report()["verdict"] == "identical");
}

TEST_CASE("--prove: where the real runs differ, the verdict stands and no proof can be made") {
  const FakeAudit audit("deterministic-1=ulp:11");
  const CliResult result = audit.run({"--prove"});
  CHECK(result.code == 1);
  CHECK_THAT(result.out, ContainsSubstring("proof: could not be made: the real runs are not identical"));
  const FakeAudit failing("deterministic-2=kill");
  const CliResult failed = failing.run({"--prove"});
  CHECK(failed.code == 3);
  CHECK_THAT(failed.out, ContainsSubstring("proof: could not be made: the run with the fault failed"));
}

TEST_CASE("warn mode is a group of its own, and its alerts are collected") {
  const FakeAudit audit("warn-0=alert,warn-1=alert");
  const CliResult result = audit.run({"--determinism", "warn"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(last_line(result.out).starts_with("verdict: identical (warn, cpu, 2 runs"));
  CHECK_THAT(result.out,
             ContainsSubstring("alert: backward, layer conv1, aten::planted: it is not deterministic"));
  const auto alerts = audit.report()["alerts"];
  REQUIRE(alerts.size() == 2);
  CHECK(alerts[0]["operation"] == "aten::planted");
  CHECK(alerts[0]["step"] == 1);
  CHECK(alerts[0]["count"] == 3);
  const FakeAudit other;
  CHECK(other.run({"--determinism", "on"}).code == 0);
  CHECK(other.report()["alerts"].empty());
}

}  // namespace
}  // namespace repro
